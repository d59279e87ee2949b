import { invalidInput } from '../../domain/core/errors.ts';
import * as z from 'zod';
import { fieldsOf } from '../../domain/settings/editorValues.ts';
import { limitFrom, type LimitName, limitNames } from '../../domain/settings/limits.ts';
import { bare, optionText, optionWords } from '../../domain/settings/optionText.ts';
import { type SettingField, settingRow } from '../../domain/settings/rows.ts';
import { completeSettings, Limits, plannedDepths, type Settings } from '../../domain/settings/settings.ts';
import { type Args, type OptionSpec, type OptionSpecs, UsageError } from '../base/args.ts';

/** Without its dashes. */
export function limitOption(name: LimitName): string {
  return settingRow(name).option ?? name;
}

function described(field: SettingField): OptionSpec {
  const row = settingRow(field);
  const schema = bare(row.schema);
  const about = optionText(row);
  if (schema instanceof z.ZodBoolean) return { about };
  const words = optionWords(row);
  const number = row.unit === 'seconds' ? 'S' : 'N';
  const value = words ? [...words.keys()].join('|') : (row.placeholder ?? number);
  return { about, value, ...(schema instanceof z.ZodArray ? { many: true } : {}) };
}

function optionsOf(fields: readonly SettingField[]): OptionSpecs {
  const named = fields.flatMap((field) => {
    const { option } = settingRow(field);
    return option === undefined ? [] : [[option, described(field)] as const];
  });
  return Object.fromEntries(named);
}

const ticketFields = fieldsOf('settings').filter((field) => field !== 'tokenBudget');

/** Frozen for each run at its start. */
export const limitOptions = optionsOf(limitNames);

/** Settings that are frozen when a ticket starts. */
export const frozenOptions: OptionSpecs = {
  ...optionsOf(ticketFields),
  model: { value: 'PROVIDER/MODEL', about: 'main implementer; required to start a ticket' },
  depth: {
    value: plannedDepths.join('|'),
    about:
      'plan with the council, with the main implementer alone, or small work in one step with one approval',
  },
  base: {
    value: 'BRANCH',
    about: 'base branch, or origin/BRANCH; default: the default branch of origin, or the current branch',
  },
  'agent-questions': {
    value: 'pause|S',
    about:
      'let agents ask questions, and wait until you answer, or S seconds; default: they decide, and record what they assumed',
  },
  handoff: {
    value: 'latest|none|ABC-12',
    about:
      'start with what another ticket left: the last completed one, or the one with this ID; default: none',
  },
  'same-session': {
    about: 'keep one session for all passes of an iteration, instead of a fresh one for each',
  },
};

export function someOptions(...names: readonly string[]): OptionSpecs {
  return Object.fromEntries(Object.entries(frozenOptions).filter(([name]) => names.includes(name)));
}

export const settingsOptions: OptionSpecs = { ...frozenOptions, ...limitOptions };

/** Throws UsageError without --model, INVALID_INPUT for a wrong value. */
export function settingsOf(args: Args): Settings {
  if (!args.has('model')) throw new UsageError('To start a ticket, specify --model PROVIDER/MODEL.');
  const given = fieldsOf('settings').map((field) => [field, valueOf(args, field)] as const);
  const named = Object.fromEntries(given.filter(([, value]) => value !== undefined));
  try {
    return completeSettings({
      ...named,
      depth: args.oneOf('depth', plannedDepths, 'full'),
      freshPasses: !args.flag('same-session'),
      // A headless process has nobody to answer an agent in time, unless an option says so.
      ...agentQuestions(args),
    });
  } catch (error) {
    throw readable(error);
  }
}

/** In the unit in which it is stored; undefined if it wasn't given. */
function valueOf(args: Args, field: SettingField): unknown {
  const row = settingRow(field);
  const { option } = row;
  if (option === undefined || !args.has(option)) return undefined;
  const schema = bare(row.schema);
  const words = optionWords(row);
  if (words) return words.get(args.oneOf(option, [...words.keys()], ''));
  if (schema instanceof z.ZodBoolean) return args.flag(option);
  if (schema instanceof z.ZodArray) {
    const named = args.list(option);
    return named.length === 1 && named[0] === 'none' ? [] : named;
  }
  if (!(schema instanceof z.ZodNumber)) return args.text(option);
  return row.unit === 'seconds' ? milliseconds(args.whole(option)) : args.whole(option);
}

function agentQuestions(args: Args): Pick<z.input<typeof Settings>, 'agentQuestions' | 'aiQuestionWindow'> {
  const written = args.text('agent-questions');
  if (written === undefined) return { agentQuestions: 'deny' };
  if (written === 'pause' || written === 'deny') return { agentQuestions: written };
  return { agentQuestions: 'timed', aiQuestionWindow: milliseconds(args.whole('agent-questions')) };
}

/** Throws INVALID_INPUT. */
export function limitsAtStart(args: Args): Limits {
  try {
    return Limits.parse(namedLimits(args));
  } catch (error) {
    throw readable(error);
  }
}

/** In the product's own units. */
export function namedLimits(args: Args): Partial<Record<LimitName, number>> {
  const named = limitNames.flatMap((name) => {
    const written = args.whole(limitOption(name));
    return written === undefined ? [] : [[name, limitFrom(name, written)] as const];
  });
  return Object.fromEntries(named);
}

function milliseconds(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : seconds * 1_000;
}

function readable(error: unknown): unknown {
  if (!(error instanceof z.ZodError)) return error;
  return invalidInput('A setting', z.prettifyError(error));
}
