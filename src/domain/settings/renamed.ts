import { isRecord } from '../../base/json.ts';
import { Budgets, budgetsOf, limitsOfBudgets } from './budgets.ts';
import { type SettingField, settingRow } from './rows.ts';

/** Renamed settings, and the fields that they set. */
export const renamedSettings = {
  'limits.iterationTimeout': 'perIterationTimeout',
  'limits.commandTimeout': 'commandTimeout',
  'limits.setupTimeout': 'executionSetupTimeout',
  'limits.councilTimeout': 'councilResponseTimeout',
  'limits.optionalPhaseTimeout': 'optionalPhaseTimeout',
  'limits.providerRetries': 'opencodeRetryLimit',
  'limits.providerDelay': 'opencodeRetryDelay',
  'limits.providerWait': 'providerWait',
  'limits.optionalPhaseTokens': 'optionalPhaseTokens',
  'limits.optionalPhaseCents': 'optionalPhaseCents',
  'limits.tokenCap': 'tokenCap',
  'limits.costCap': 'costCap',
  'limits.timeCap': 'timeCap',
  'limits.phaseTokenCap': 'phaseTokenCap',
  'limits.phaseCostCap': 'phaseCostCap',
  'limits.phaseTimeCap': 'phaseTimeCap',
  'limits.beadTokenCap': 'beadTokenCap',
  'limits.beadCostCap': 'beadCostCap',
  'limits.beadTimeCap': 'beadTimeCap',
  'limits.dayTokenCap': 'dayTokenCap',
  'limits.dayCostCap': 'dayCostCap',
  'limits.dayTimeCap': 'dayTimeCap',
  'notices.needsYou': 'needsYou',
  'notices.questions': 'questions',
  'notices.blocked': 'blocked',
  'notices.finished': 'finished',
} as const satisfies Readonly<Record<string, SettingField>>;
/** The old name of a setting. */
export type RenamedSetting = keyof typeof renamedSettings;

/**
 * New settings with old ones' values. `present`: a new setting's value, which wins. Invalid values stay for
 * their error.
 */
export function underNewNames(
  old: Readonly<Partial<Record<RenamedSetting, unknown>>>,
  present: (setting: string) => unknown,
): Readonly<Record<string, unknown>> {
  const set: Record<string, unknown> = {};
  const caps: Record<string, number> = {};
  for (const [name, value] of Object.entries(old)) {
    const field = renamedSettings[name as RenamedSetting];
    const { setting = field, property, budget } = settingRow(field);
    if (budget && typeof value === 'number') caps[field] = value;
    if (property === undefined) continue;
    const known = set[setting] ?? present(setting);
    set[setting] = { [property]: value, ...(isRecord(known) ? known : {}) };
  }
  if (Object.keys(caps).length > 0) {
    const known = Budgets.safeParse(present('budgets')).data ?? [];
    set['budgets'] = budgetsOf({ ...caps, ...limitsOfBudgets(known) });
  }
  return set;
}
