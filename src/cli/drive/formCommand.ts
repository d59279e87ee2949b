import { inboxBodies, type InboxBody } from '../../domain/ticket/inbox.ts';
import { type FormAction, formOf } from '../../domain/workflow/forms.ts';
import type { Command } from '../base/command.ts';
import { formOptions, formValues, optionSentence } from '../options/formOptions.ts';
import { actionCommand, type ActionSpec } from './actionCommand.ts';

/** A command that is no more than an action's form, which gives its name, its sentence and its options. */
export function formCommand<A extends FormAction>(
  action: A,
  given: Partial<Pick<ActionSpec<A>, 'kind' | 'about'>> = {},
): Command {
  return actionCommand<A>({
    name: action.replaceAll('_', '-'),
    kind: action,
    about: optionSentence(formOf(action).about),
    options: formOptions(action),
    body: ({ args }) => {
      const values = formValues(action, args);
      const body = inboxBodies[action].safeParse(values);
      // What can't be used is refused where every action is, with what is wrong with it.
      return (body.success ? body.data : values) as InboxBody<A>;
    },
    ...given,
  });
}
