import { BeadsmithError, type ErrorCode } from '../core/errors.ts';
import type { ActionName, Condition } from './actions.ts';

/** A text that a person gives with an action, said once: pages, Quick Picks and options render it. */
export interface FormField {
  readonly label: string;
  /** One sentence, for the prompt of an input and the text of an option. */
  readonly about: string;
  /** The greatest number of characters. */
  readonly most: number;
  /** Under this condition the field can't be left empty, and the error says so. */
  readonly needed?: { readonly when: Condition; readonly code: ErrorCode };
}

/** The fields of the actions that have some. Their names are those of the action's body. */
export const forms = {
  approve: {
    reason: {
      label: 'Reason for approving with gaps',
      about: 'Reason for the approval, stored in the receipt. Required if gaps are open.',
      most: 20_000,
      needed: { when: 'gapsOpen', code: 'REASON_MISSING' },
    },
  },
} as const satisfies Readonly<Partial<Record<ActionName, Readonly<Record<string, FormField>>>>>;

/** The actions that have a form. */
export type FormAction = keyof typeof forms;

/** The fields of an action's form, as data. */
export function fieldsOf(action: FormAction): readonly (readonly [name: string, field: FormField])[] {
  return Object.entries(forms[action]);
}

/**
 * Checks what a person filled in: returns the error that names the first field that is missing; undefined if
 * none is. `met`: the conditions that hold for the ticket.
 */
export function missingField(
  action: FormAction,
  body: Readonly<Record<string, unknown>>,
  met: readonly Condition[],
): BeadsmithError | undefined {
  for (const [name, { needed }] of fieldsOf(action)) {
    const given = body[name];
    const isEmpty = typeof given !== 'string' || given.trim() === '';
    if (needed && met.includes(needed.when) && isEmpty) return new BeadsmithError(needed.code);
  }
  return undefined;
}
