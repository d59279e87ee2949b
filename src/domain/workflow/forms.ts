import { BeadsmithError } from '../core/errors.ts';
import { type ActionName, actionNames, actions, definitionOf } from './actions.ts';
import type { ActionForm, ChoiceField, Condition, FlagField, FormField, TextField } from './formFields.ts';

/** The actions that have a form. */
export type FormAction = {
  [A in ActionName]: (typeof actions)[A] extends { readonly form: ActionForm } ? A : never;
}[ActionName];

/** The fields of an action's form. */
export type FormFields<A extends FormAction> = (typeof actions)[A]['form']['fields'];

/** Every action that has a form. */
export const formActions = actionNames.filter((action): action is FormAction => 'form' in actions[action]);

/** An action's form, read as data. */
export function formOf(action: FormAction): ActionForm {
  return actions[action].form;
}

/** The form of any action; undefined if it has none. */
export function formIfAny(action: ActionName | undefined): ActionForm | undefined {
  return action && definitionOf(action).form;
}

/** The texts of an action's form, by their names. */
export function textsOf(action: FormAction): readonly (readonly [name: string, field: TextField])[] {
  return Object.entries(formOf(action).fields).flatMap(([name, field]) =>
    field.kind === 'text' ? [[name, field] as const] : [],
  );
}

/** The choices of an action's form, by their names. */
export function choicesOf(action: FormAction): readonly (readonly [name: string, field: ChoiceField])[] {
  return Object.entries<FormField>(formOf(action).fields).flatMap(([name, field]) =>
    field.kind === 'choice' ? [[name, field] as const] : [],
  );
}

/** The yes or no of an action's form; undefined if it has none. */
export function flagOf(action: FormAction): readonly [name: string, field: FlagField] | undefined {
  return Object.entries(formOf(action).fields).flatMap(([name, field]) =>
    field.kind === 'flag' ? [[name, field] as const] : [],
  )[0];
}

/** Returns true if a text can't be empty. `met`: the conditions that hold for the ticket. */
export function isNeeded({ needed }: TextField, met: readonly Condition[]): boolean {
  return needed === 'always' || (needed !== undefined && met.includes(needed.when));
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
  for (const [name, field] of textsOf(action)) {
    const given = body[name];
    const isEmpty = typeof given !== 'string' || given.trim() === '';
    if (!isEmpty || !isNeeded(field, met)) continue;
    return field.needed === 'always' || field.needed === undefined
      ? new BeadsmithError('INVALID_INPUT', { what: field.label, reason: 'it is empty' })
      : new BeadsmithError(field.needed.code);
  }
  return undefined;
}
