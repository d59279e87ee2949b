import { sha256 } from '../../base/sha256.ts';

/**
 * The title of a step's session number `ordinal` (from 0). Its nonce is derived from the step, so that a session that was made and
 * not yet noted is found again.
 */
export function sessionTitle(ticket: string, stepKey: string, ordinal: number): string {
  const nonce = sha256(`${stepKey}#${String(ordinal)}`).slice(0, 12);
  return `${ticket} ${stepKey.slice(stepKey.indexOf('/') + 1)} ${nonce}`;
}
