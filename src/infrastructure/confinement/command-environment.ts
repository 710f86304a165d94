/**
 * The environment a command of a plan gets: the user's, without what could steer git at another repository, without
 * secrets, and without settings of our own. What is removed is the list below, where a name counts whatever its case, and
 * `keys`: the variables from which the keys of models come, whatever they are called.
 */
export function commandEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  keys: readonly string[] = [],
): Record<string, string> {
  const kept = Object.entries(environment).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && !isRemoved(entry[0]) && !keys.includes(entry[0]),
  )
  return Object.fromEntries(kept)
}

function isRemoved(name: string): boolean {
  return removed.some(pattern => pattern.test(name))
}

const removed: readonly RegExp[] = [
  /^GIT_/i,
  /^CLEVERAGENTS_/i,
  /^(AWS|AZURE|ARM|GOOGLE|GCP|GCLOUD|CLOUDSDK|DIGITALOCEAN|OP|VAULT|DOPPLER)_/i,
  /^(OPENAI|ANTHROPIC|GEMINI|MISTRAL|COHERE|GROQ|OPENROUTER|HF|HUGGINGFACE)_/i,
  /^(GH|GITHUB|GITLAB|CI_JOB|BITBUCKET|NPM|NODE_AUTH|PYPI|TWINE|CARGO_REGISTRIES|DOCKER)_.*(TOKEN|PASS|AUTH|JWT)/i,
  /(^|_)(TOKENS?|SECRETS?|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|APIKEY|JWT)(_|$)/i,
  /(TOKEN|SECRET|PASSWORD|APIKEY)$/i,
  /(^|_)(KEY|KEYS|PASS|AUTH|PAT|COOKIE|DSN)$/i,
  /^(.*_)?(DATABASE|DB|MONGO|MONGODB|REDIS|POSTGRES|POSTGRESQL|MYSQL|AMQP)_(URL|URI)$/i,
  // Doors to agents and daemons that act with the user's rights.
  /^(SSH_AUTH_SOCK|SSH_AGENT_PID|SSH_ASKPASS|GPG_AGENT_INFO|DBUS_SESSION_BUS_ADDRESS|DOCKER_HOST|KUBECONFIG)$/i,
  /^(XDG_RUNTIME_DIR|XAUTHORITY|TMUX|TMUX_PANE|STY|VSCODE_(GIT_)?IPC_.*|VSCODE_GIT_ASKPASS_.*)$/i,
  // Left by the npm that started us; a command's own npm would take them for its own.
  /^npm_(lifecycle|package)_/i,
]
