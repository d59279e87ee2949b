import { limitObjects, limitRows } from './rows/limits.ts';
import { modelRows } from './rows/models.ts';
import { planningObjects, planningRows } from './rows/planning.ts';
import { reviewObjects, reviewRows } from './rows/review.ts';
import { sandboxRows } from './rows/sandbox.ts';
import type { SettingObject, SettingRow } from './rows/row.ts';

/** Every value that a person can set, in the order of the settings editor. */
export const settingRows = {
  ...modelRows,
  ...planningRows,
  ...reviewRows,
  ...limitRows,
  ...sandboxRows,
} as const;

/** The name of a row: the field that holds its value. */
export type SettingField = keyof typeof settingRows;

/** Every setting of the editor that holds several values. */
export const settingObjects: Readonly<Record<string, SettingObject>> = {
  ...planningObjects,
  ...reviewObjects,
  ...limitObjects,
};

/** The names of the editor's settings, each after `beadsmith.`. */
export const settingNames: readonly string[] = [
  ...new Set(Object.entries<SettingRow>(settingRows).map(([field, { setting = field }]) => setting)),
];

/** The row of a field. */
export function settingRow(field: SettingField): SettingRow {
  return settingRows[field];
}

/** Returns the name of a row for people: `beadsmith.timeouts.command`, without the first word. */
export function settingName(field: SettingField): string {
  const { setting = field, property } = settingRow(field);
  return property === undefined ? setting : `${setting}.${property}`;
}
