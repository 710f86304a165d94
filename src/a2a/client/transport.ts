/** A way to the backend: frames out, frames in. */
export interface Transport {
  send(frame: unknown): void
  /** Called once, by the client, before anything is sent. */
  listen(listener: TransportListener): void
  /** Ends the way to the backend, and the backend itself where it was started for this client. */
  close(): Promise<void>
}

export interface TransportListener {
  onFrame(frame: unknown): void
  /** Nothing comes after this; the reason is for people. */
  onClose(reason: string): void
}
