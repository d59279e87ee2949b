import { type FormAction, formOf } from '../../domain/workflow/forms.ts';
import { type Args, type OptionSpecs, UsageError } from '../base/args.ts';

/** The options by which an action's form is filled in: one for each field, with its sentence. */
export function formOptions(action: FormAction): OptionSpecs {
  return Object.fromEntries(
    Object.entries(formOf(action).fields).flatMap(([name, field]): [string, OptionSpecs[string]][] => {
      const about = optionSentence(field.about);
      if (field.kind === 'text') return [[optionName(name), { value: 'TEXT', about }]];
      const no = field.no && ([field.no.option, { about: optionSentence(field.no.about) }] as const);
      return [
        [optionName(name), { about }],
        ...(no ? [[no[0], no[1]] as [string, OptionSpecs[string]]] : []),
      ];
    }),
  );
}

/** Returns what was filled in by options, by the names of the fields; a text that isn't given is empty. */
export function formValues(action: FormAction, args: Args): Readonly<Record<string, string | boolean>> {
  const values: Record<string, string | boolean> = {};
  for (const [name, field] of Object.entries(formOf(action).fields)) {
    const option = optionName(name);
    if (field.kind === 'text') {
      values[name] = args.text(option) ?? '';
      continue;
    }
    const isNo = field.no !== undefined && args.flag(field.no.option);
    if (isNo && args.flag(option))
      throw new UsageError(`Use either --${option} or --${field.no.option}, not both.`);
    if (isNo || args.flag(option)) values[name] = !isNo;
  }
  return values;
}

/** A sentence as `help` writes it: without a capital letter, a full stop and curved apostrophes. */
export function optionSentence(about: string): string {
  return (about.charAt(0).toLowerCase() + about.slice(1)).replace(/\.$/, '').replaceAll('’', "'");
}

function optionName(field: string): string {
  return field.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
