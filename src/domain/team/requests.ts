import { canonicalJson } from '../../base/json.ts';

/** The subjects of a browser's signed requests. Decisions have seals of their own. */
export type SignedRequest = 'sign-in' | 'pair' | 'invite' | 'revoke' | 'order';

/**
 * The text that a browser's key signs for one request at one address. The nonce is the server's, for one use;
 * `about`: what is asked for.
 */
export function requestText(
  kind: SignedRequest,
  { origin, nonce, about }: { readonly origin: string; readonly nonce: string; readonly about: unknown },
): string {
  return `beadsmith ${kind} 1\n${canonicalJson([origin, nonce, about])}`;
}
