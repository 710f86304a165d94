/** One screen for whoever has no model yet. The same text everywhere: in commands, on the wire and on the screen. */
export const gettingGoing = `No model can be used yet. Any one of these is enough:

A key, in the environment:
  export ANTHROPIC_API_KEY=...
  or OPENAI_API_KEY, GEMINI_API_KEY, OPENROUTER_API_KEY

A server on this machine, e.g. Ollama with a model that can call tools:
  export OLLAMA_HOST=127.0.0.1:11434
  agents config set actor.default ollama/MODEL
  LM Studio, vLLM and others: see docs/models.md

No model at all: recipes do their steps without one, e.g.
  agents plan use builtin/replace-text
  agents action list               shows them all

agents doctor says what was found; agents actor list what can be used.`
