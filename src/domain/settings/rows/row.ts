import * as z from 'zod';

/** The editor's groups in order, with titles. */
export const settingGroups = {
  models: 'Models',
  planning: 'Planning and Gates',
  review: 'Review',
  limits: 'Budgets and Limits',
  sandbox: 'Sandbox and OpenCode',
} as const;
type SettingGroup = keyof typeof settingGroups;

/**
 * A value's owner: a ticket (`settings` and `limits`), a repository, this machine (which no repository speaks
 * for), or the person in all windows.
 */
export type SettingStore = 'settings' | 'limits' | 'repository' | 'machine' | 'person';

/** The scopes of budgets. */
export const budgetScopes = ['ticket', 'phase', 'bead', 'day', 'optionalPhase'] as const;

/** A budget's scope and unit. */
export interface BudgetPlace {
  readonly per: (typeof budgetScopes)[number];
  readonly unit: 'tokens' | 'cents' | 'minutes';
}

/** One of a few values. `word`: for the command line. */
interface SettingChoice {
  readonly about: string;
  readonly label?: string;
  readonly word?: string;
}

/**
 * A value that a person can set (docs/ARCHITECTURE.md, "Tables"): the source of settings page, command line
 * and documentation. Its key in the table names its field.
 */
export interface SettingRow<Schema extends z.ZodType = z.ZodType> {
  readonly store: SettingStore;
  readonly group: SettingGroup;
  /** `beadsmith.<setting>`; by default the row's key. */
  readonly setting?: string;
  /** Of a setting with several values (`settingObjects`). */
  readonly property?: string;
  readonly budget?: BudgetPlace;
  readonly schema: Schema;
  readonly label?: string;
  /** One to three Markdown sentences. `#beadsmith.NAME#` links to a setting. */
  readonly about: string;
  readonly choices?: Readonly<Record<string, SettingChoice>>;
  readonly invalid?: string;
  /** People write seconds, stored are milliseconds. */
  readonly unit?: 'seconds';
  readonly option?: string;
  /** The placeholder of a free text. */
  readonly placeholder?: string;
  /** `advanced`: shown only on demand. */
  readonly tags?: readonly ('advanced' | 'experimental')[];
}

/** A setting with several values. */
export interface SettingObject {
  readonly group: SettingGroup;
  readonly about: string;
  readonly tags?: readonly ('advanced' | 'experimental')[];
}

/** Rows by field. */
export type SettingRows = Readonly<Record<string, SettingRow>>;

type ShapeOf<Rows extends SettingRows, Store extends SettingStore> = {
  -readonly [
    Field in keyof Rows as Rows[Field]['store'] extends Store ? Field : never
  ]: Rows[Field]['schema'];
};

/** One store's shape of an object schema. */
export function shapeOf<const Rows extends SettingRows, const Store extends SettingStore>(
  rows: Rows,
  store: Store,
): ShapeOf<Rows, Store> {
  const kept = Object.entries(rows).filter(([, row]) => row.store === store);
  return Object.fromEntries(kept.map(([field, { schema }]) => [field, schema])) as ShapeOf<Rows, Store>;
}

/** In milliseconds. 0 means this one, so that nothing runs forever. */
export const longestTimeoutMs = 3_600_000;

/** Written in whole seconds, stored in milliseconds. */
export function seconds(defaultValue: number, least = 0, most = longestTimeoutMs / 1_000) {
  return z
    .number()
    .int()
    .min(1_000 * least)
    .max(1_000 * most)
    .default(1_000 * defaultValue);
}

/** A bounded whole number. */
export function attempts(least: number, most: number, defaultValue: number) {
  return z.number().int().min(least).max(most).default(defaultValue);
}

/** An unbounded number; 0 means no limit. */
export function cap(defaultValue = 0) {
  return z.number().int().min(0).default(defaultValue);
}
