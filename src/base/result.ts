export type Settled<T, E = unknown> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: E };
