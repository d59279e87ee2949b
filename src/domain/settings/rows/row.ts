import type * as z from 'zod';

/** The groups of the settings editor, in its order, with their titles. */
export const settingGroups = {
  models: 'Models',
  planning: 'Planning and Gates',
  review: 'Review',
  limits: 'Budgets and Limits',
  sandbox: 'Sandbox and OpenCode',
} as const;
/** One of them. */
export type SettingGroup = keyof typeof settingGroups;

/**
 * The owner of the value: a ticket (`settings` and `limits`, frozen at its start), a repository, this
 * machine, which no repository can speak for, or the person in all windows.
 */
export type SettingStore = 'settings' | 'limits' | 'repository' | 'machine' | 'person';

/** The scope and the unit of a budget. */
export interface BudgetPlace {
  readonly per: 'ticket' | 'phase' | 'bead' | 'day' | 'optionalPhase';
  readonly unit: 'tokens' | 'cents' | 'minutes';
}

/** One value of a setting that has a few. `word`: what the command line calls it. */
export interface SettingChoice {
  readonly about: string;
  readonly label?: string;
  readonly word?: string;
}

/**
 * One value that a person can set, said once: the editor's settings page, the command line and the
 * documentation are made from it (docs/ARCHITECTURE.md, "Tables"). Its key in the table is the name of the
 * field that holds it.
 */
export interface SettingRow<Schema extends z.ZodType = z.ZodType> {
  readonly store: SettingStore;
  readonly group: SettingGroup;
  /** The editor's setting is `beadsmith.<setting>`; by default, the row's own key. */
  readonly setting?: string;
  /** The property that it is of a setting with several (`settingObjects`). */
  readonly property?: string;
  /** Its place in the setting `budgets`, which is a list. */
  readonly budget?: BudgetPlace;
  /** The schema, with its default, in the unit in which the value is stored. */
  readonly schema: Schema;
  /** Its short name in lists. */
  readonly label?: string;
  /** One to three sentences (Markdown). `#beadsmith.NAME#` leads to another setting. */
  readonly about: string;
  readonly choices?: Readonly<Record<string, SettingChoice>>;
  /** The sentence about a text that the schema refuses. */
  readonly invalid?: string;
  /** People write seconds, the field holds milliseconds. */
  readonly unit?: 'seconds';
  /** The option of the command line, without its dashes. */
  readonly option?: string;
  /** The placeholder of the option's value, where the schema says no more than that it is a text. */
  readonly placeholder?: string;
  /** `advanced`: the editor shows it only on demand. */
  readonly tags?: readonly ('advanced' | 'experimental')[];
}

/** A setting of the editor that holds several values. */
export interface SettingObject {
  readonly group: SettingGroup;
  readonly about: string;
  readonly tags?: readonly ('advanced' | 'experimental')[];
}

/** Rows by the name of their field. */
export type SettingRows = Readonly<Record<string, SettingRow>>;

/** The schemas of the rows that one store keeps. */
export type ShapeOf<Rows extends SettingRows, Store extends SettingStore> = {
  -readonly [
    Field in keyof Rows as Rows[Field]['store'] extends Store ? Field : never
  ]: Rows[Field]['schema'];
};

/** The shape of an object schema: every row of one store. */
export function shapeOf<const Rows extends SettingRows, const Store extends SettingStore>(
  rows: Rows,
  store: Store,
): ShapeOf<Rows, Store> {
  const kept = Object.entries(rows).filter(([, row]) => row.store === store);
  return Object.fromEntries(kept.map(([field, { schema }]) => [field, schema])) as ShapeOf<Rows, Store>;
}
