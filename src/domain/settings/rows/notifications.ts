import * as z from 'zod';
import type { SettingObject, SettingRows } from './row.ts';

function kind<const Property extends string>(property: Property, about: string) {
  const schema = z.boolean().default(true);
  return { store: 'person', group: 'planning', setting: 'notifications', property, schema, about } as const;
}

/** The kinds of notification, on the page "Planning and Gates". */
export const notificationRows = {
  needsYou: kind('needsYou', 'Notify when a ticket needs your input at a gate.'),
  questions: kind('questions', 'Notify when an agent asks a question or requests a permission.'),
  blocked: kind('blocked', 'Notify when an error blocks a ticket, or a budget pauses it.'),
  finished: kind('finished', 'Notify when a ticket is completed.'),
} as const satisfies SettingRows;

/** The setting with all of them. */
export const notificationObjects = {
  notifications: { group: 'planning', about: 'Controls what you are notified of.' },
} as const satisfies Readonly<Record<string, SettingObject>>;
