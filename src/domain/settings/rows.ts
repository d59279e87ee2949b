import { limitObjects, limitRows } from './rows/limits.ts';
import { modelRows } from './rows/models.ts';
import { notificationObjects, notificationRows } from './rows/notifications.ts';
import { planningObjects, planningRows } from './rows/planning.ts';
import { reviewObjects, reviewRows } from './rows/review.ts';
import { sandboxRows } from './rows/sandbox.ts';
import type { SettingObject, SettingRow } from './rows/row.ts';

/** All values that a person can set, in the editor's order. */
export const settingRows = {
  ...modelRows,
  ...planningRows,
  ...notificationRows,
  ...reviewRows,
  ...limitRows,
  ...sandboxRows,
} as const;

/** A row's field. */
export type SettingField = keyof typeof settingRows;

/** All settings with several values. */
export const settingObjects: Readonly<Record<string, SettingObject>> = {
  ...planningObjects,
  ...notificationObjects,
  ...reviewObjects,
  ...limitObjects,
};

/** Names after `beadsmith.`. */
export const settingNames: readonly string[] = [
  ...new Set(Object.entries<SettingRow>(settingRows).map(([field, { setting = field }]) => setting)),
];

/** A field's row. */
export function settingRow(field: SettingField): SettingRow {
  return settingRows[field];
}

/** A row's name for people, without `beadsmith.`: `timeouts.command`. */
export function settingName(field: SettingField): string {
  const { setting = field, property } = settingRow(field);
  return property === undefined ? setting : `${setting}.${property}`;
}
