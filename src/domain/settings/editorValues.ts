import type * as z from 'zod';
import { isRecord } from '../../base/json.ts';
import { type BeadsmithError, invalidInput } from '../core/errors.ts';
import { Budgets, limitsOfBudgets } from './budgets.ts';
import type { SettingStore } from './rows/row.ts';
import { type SettingField, settingName, settingObjects, settingRow, settingRows } from './rows.ts';

/** The editor's value of `beadsmith.<name>`, if any, with defaults. */
export type EditorValue = (name: string) => unknown;

/** A store's fields, in row order. */
export function fieldsOf(store: SettingStore): readonly SettingField[] {
  return (Object.keys(settingRows) as SettingField[]).filter((field) => settingRow(field).store === store);
}

/**
 * A field's editor value in its stored unit. Throws INVALID_INPUT with the setting's name: nonsense never
 * becomes a silent default.
 */
export function editorValue<Schema extends z.ZodType>(
  field: SettingField,
  schema: Schema,
  get: EditorValue,
): z.infer<Schema> {
  const { setting = field, property, unit, budget } = settingRow(field);
  const value = budget
    ? limitsOfBudgets(budgetsFrom(get))[field as never]
    : propertyOf(setting, property, get(setting));
  const result = schema.safeParse(unit === 'seconds' && typeof value === 'number' ? 1_000 * value : value);
  if (result.success) return result.data;
  const reason = unit === 'seconds' ? 'so many seconds are not allowed' : firstReason(result.error);
  throw refused(settingName(field), reason);
}

/** Values of fields, checked under their names for people. */
export function editorValues(
  fields: readonly SettingField[],
  get: EditorValue,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    fields.map((field) => [field, editorValue(field, settingRow(field).schema, get)]),
  );
}

function propertyOf(setting: string, property: string | undefined, value: unknown): unknown {
  if (property === undefined) return value;
  if (value === undefined) return undefined;
  if (!isRecord(value)) throw refused(setting, 'it must be an object');
  const known = propertiesOf(setting);
  const stranger = Object.keys(value).find((name) => !known.includes(name));
  if (stranger !== undefined)
    throw refused(setting, `it has no property "${stranger.slice(0, 60)}", only ${known.join(', ')}`);
  return value[property];
}

function propertiesOf(name: string): readonly string[] {
  if (!(name in settingObjects)) return [];
  return Object.keys(settingRows).flatMap((field) => {
    const { setting, property } = settingRow(field as SettingField);
    return setting === name && property !== undefined ? [property] : [];
  });
}

function budgetsFrom(get: EditorValue): z.infer<typeof Budgets> {
  const result = Budgets.safeParse(get('budgets') ?? []);
  if (result.success) return result.data;
  throw refused('budgets', firstReason(result.error));
}

function firstReason(error: z.ZodError): string {
  const [issue] = error.issues;
  const place = issue?.path.join('.') ?? '';
  return place === '' ? (issue?.message ?? '') : `${place}: ${issue?.message ?? ''}`;
}

function refused(name: string, reason: string): BeadsmithError {
  return invalidInput(`The setting beadsmith.${name}`, reason);
}
