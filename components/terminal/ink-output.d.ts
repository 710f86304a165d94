/**
 * Ink's compositor, which Ink does not export. Import it as `import Output from '#ink-output'`: the bundle, the tests and
 * the benches resolve that name to the very file Ink itself loads, so that a changed prototype is seen by Ink.
 */
declare module '#ink-output' {
  interface Clip {
    x1: number | undefined
    x2: number | undefined
    y1: number | undefined
    y2: number | undefined
  }

  type Transformer = (line: string, index: number) => string

  export type Operation =
    | { type: 'write'; x: number; y: number; text: string; transformers: Transformer[] }
    | { type: 'clip'; clip: Clip }
    | { type: 'unclip' }

  export default class Output {
    constructor(options: { width: number; height: number })
    width: number
    height: number
    operations: Operation[]
    caches: unknown
    write(x: number, y: number, text: string, options: { transformers: Transformer[] }): void
    clip(clip: Clip): void
    unclip(): void
    sliceLineToColumns(line: string, from: number, to: number): string
    get(): { output: string; height: number }
  }
}
