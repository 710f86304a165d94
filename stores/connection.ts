/** Where the screen stands with its backend. */
export type Connection =
  | { readonly kind: 'starting' }
  | { readonly kind: 'connected' }
  /** It was there and is gone; what is known stays on screen. */
  | { readonly kind: 'disconnected'; readonly reason: string }
  /** It could not be reached at all. */
  | { readonly kind: 'error'; readonly message: string }
