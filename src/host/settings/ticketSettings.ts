import type * as z from 'zod';
import { isTime, limitNames, limitSettings } from '../../domain/limits.ts';
import { Limits, Settings } from '../../domain/settings.ts';

/** A setting of the editor, `beadsmith.<name>`, and what it becomes. `seconds`: people write seconds, the field holds milliseconds. */
export interface SettingRow {
  readonly name: string;
  readonly seconds?: true;
}

/**
 * What a start freezes besides models and depth, which are asked for when they aren't set.
 */
export const OfferedSettings = Settings.omit({ depth: true, mainImplementer: true, councilMembers: true });

/** Every field has its row: one that is added to the schema and can't be set in the editor doesn't compile. */
export const ticketSettings: Readonly<Record<keyof z.infer<typeof OfferedSettings>, SettingRow>> = {
  secondImplementer: { name: 'secondImplementer' },
  minCouncilQuorum: { name: 'council.quorum' },
  councilLenses: { name: 'council.lenses' },
  interviewQuestions: { name: 'interviewQuestions' },
  coverageFollowUpBudgetPercent: { name: 'coverage.followUpPercent' },
  maxCoveragePasses: { name: 'coverage.interviewPasses' },
  maxPrdCoveragePasses: { name: 'coverage.prdPasses' },
  maxBeadsCoveragePasses: { name: 'coverage.beadPasses' },
  manualQaEnabled: { name: 'manualQa' },
  integration: { name: 'integration' },
  agentQuestions: { name: 'agentQuestions.mode' },
  aiQuestionWindow: { name: 'agentQuestions.window', seconds: true },
  worktreeAtEnd: { name: 'worktreeAtEnd' },
  gitHookPolicy: { name: 'gitHooks' },
  structuredRetryCount: { name: 'limits.repairs' },
  structuredOutput: { name: 'structuredOutput' },
  freezeApprovedTests: { name: 'freezeTests' },
  review: { name: 'review' },
  reviewer: { name: 'reviewer' },
  personas: { name: 'party.personas' },
  partyMode: { name: 'party.mode' },
  partyRounds: { name: 'party.rounds' },
  kickoff: { name: 'kickoff' },
  failureAnalysis: { name: 'failureAnalysis' },
  retrospective: { name: 'retrospective' },
  minPasses: { name: 'passes.min' },
  maxPasses: { name: 'passes.max' },
  freshPasses: { name: 'passes.fresh' },
  promise: { name: 'passes.promise' },
  promptOrder: { name: 'promptOrder' },
  longConversations: { name: 'longConversations' },
  previewPrompts: { name: 'previewPrompts' },
  tokenBudget: { name: limitSettings.tokenBudget },
};

export const ticketLimits = Object.fromEntries(
  limitNames
    .filter((name) => name in Limits.shape)
    .map((name) => [name, { name: limitSettings[name], ...(isTime(name) ? { seconds: true } : {}) }]),
) as Readonly<Record<keyof Limits, SettingRow>>;

/** A field of a schema with the row of its setting. */
export interface OfferedField extends SettingRow {
  readonly field: string;
  readonly schema: z.ZodType;
}

/** The rows of a schema's fields, with what each is checked against. */
export function offeredFields<Field extends string>(
  rows: Readonly<Record<Field, SettingRow>>,
  { shape }: { readonly shape: Readonly<Record<Field, z.ZodType>> },
): readonly OfferedField[] {
  return (Object.keys(rows) as Field[]).map((field) => ({ ...rows[field], field, schema: shape[field] }));
}

/** Everything a start freezes that has a setting. */
export const frozenFields = { settings: offeredFields(ticketSettings, OfferedSettings), limits: offeredFields(ticketLimits, Limits) };
