import { fieldsOf, type FormAction } from '../../domain/workflow/forms.ts';
import type { OptionSpecs } from '../base/args.ts';

/** The options by which an action's form is filled in: one for each field, with its sentence. */
export function formOptions(action: FormAction): OptionSpecs {
  return Object.fromEntries(
    fieldsOf(action).map(([name, { about }]) => [
      name.replaceAll('_', '-'),
      { value: 'TEXT', about: (about.charAt(0).toLowerCase() + about.slice(1)).replace(/\.$/, '') },
    ]),
  );
}
