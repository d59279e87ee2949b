import type { ContextKey } from '../domain/workflow/contextKeys.ts';
import {
  type Range,
  type CallCount,
  countOf,
  fixCount,
  partyMembers,
  reviewCount,
  sum,
} from '../domain/estimate/estimate.ts';
import { councilOf, type Settings } from '../domain/settings/settings.ts';
import { beadStages, stageLabel, type StageRow } from '../domain/beads/beadStages.ts';
import { rowOf, type Status, sequence, statuses } from '../domain/workflow/workflow.ts';
import { slicesOf } from './allowlists.ts';
import { type SectionName, sectionAllowed, sectionTable } from './sections.ts';

/** A call of a phase, with its number per ticket, bead or failed iteration. */
export interface PlannedCall extends CallCount {
  readonly context: ContextKey;
  readonly per: 'ticket' | 'bead' | 'failure';
  readonly slices: readonly string[];
  readonly sections: readonly string[];
}

/** A status on a ticket's usual way. `needsPerson`: it waits there. */
export interface PlannedPhase {
  readonly status: Status;
  readonly label: string;
  readonly needsPerson: boolean;
  readonly calls: readonly PlannedCall[];
  readonly stages: readonly { readonly stage: string; readonly label: string; readonly on: boolean }[];
}

/** The phases of a ticket without failures, from the tables (docs/decisions/143-dry-run.md). */
export function plannedPhases(settings: Settings): readonly PlannedPhase[] {
  return statuses.filter((status) => passes(status, settings)).map((status) => phaseOf(status, settings));
}

export function phasesThatAreOff(settings: Settings): readonly string[] {
  const off = [...switches].filter(([, isOn]) => !isOn(settings)).map(([status]) => rowOf(status).label);
  const stages = stagesOf(settings).filter(({ on }) => !on);
  return [...stages.map(({ label }) => label), ...off];
}

const switches: ReadonlyMap<Status, (settings: Settings) => boolean> = new Map([
  ['GENERATING_QA_CHECKLIST', (settings) => settings.manualQaEnabled],
  ['WAITING_MANUAL_QA', (settings) => settings.manualQaEnabled],
  ['WRITING_RETROSPECTIVE', (settings) => settings.retrospective],
]);

const afterPlanning = new Set(sequence.from('PRE_FLIGHT_CHECK'));
const full = new Set(sequence.from('COUNCIL_DELIBERATING').filter((status) => !afterPlanning.has(status)));
const quick = new Set(
  sequence.from('PLANNING_QUICK').filter((status) => !afterPlanning.has(status) && !full.has(status)),
);

function passes(status: Status, settings: Settings): boolean {
  const { role } = rowOf(status);
  if (role === 'blocked' || role === 'canceled') return false;
  if (status === 'PREPARING_LOOP') return settings.depth === 'loop';
  if ((settings.depth === 'quick' ? full : quick).has(status)) return false;
  return switches.get(status)?.(settings) ?? true;
}

const exceptional: readonly ContextKey[] = [
  ...(['context_wipe', 'qa_fix', 'base_update', 'execution_setup_note', 'final_test_note'] as const),
  ...(['execution_setup_plan_regenerate', 'preflight'] as const),
];

function phaseOf(status: Status, settings: Settings): PlannedPhase {
  const { label, kind, contexts, handler } = rowOf(status);
  const stages = handler === 'coding' ? stagesOf(settings) : [];
  const isOff = (key: ContextKey): boolean =>
    stages.some(({ stage, on }) => stage === (stageOf[key] ?? key) && !on);
  const keys = contexts.filter((key) => !exceptional.includes(key) && !isOff(key));
  const calls = keys.map((key) => callOf(key, settings, handler === 'coding'));
  return { status, label, needsPerson: kind === 'gate', calls, stages };
}

const stageOf: Partial<Record<ContextKey, string>> = { failure_analysis: 'analyse' };

function callOf(context: ContextKey, settings: Settings, isCoding: boolean): PlannedCall {
  const sections = (Object.keys(sectionTable) as SectionName[]).filter((name) =>
    sectionAllowed(name, context),
  );
  const per = context === 'failure_analysis' ? 'failure' : isCoding ? 'bead' : 'ticket';
  return { context, ...timesOf(context, settings), per, slices: slicesOf(context), sections };
}

function timesOf(context: ContextKey, settings: Settings): CallCount {
  switch (context) {
    case 'kickoff':
      return countOf(partyMembers(settings, 'kickoff'));
    case 'coding':
      return countOf({ low: 1, high: 1 }, { low: settings.minPasses, high: settings.maxPasses });
    case 'review':
      return reviewCount(settings);
    case 'fix':
      return fixCount;
    case 'failure_analysis':
      return countOf(partyMembers(settings, 'failure'));
    case 'retrospective':
      return countOf(partyMembers(settings, 'retrospective'));
    default: {
      const members = /_(?:draft|vote)$/.test(context) ? councilOf(settings).length : 1;
      return countOf({ low: members, high: members });
    }
  }
}

/** The calls of a bead that doesn't fail. */
export function callsOfBead(phases: readonly PlannedPhase[]): Range {
  const calls = phases.flatMap((phase) => phase.calls).filter(({ per }) => per === 'bead');
  return calls.reduce<Range>((all, one) => sum(all, one.calls), { low: 0, high: 0 });
}

function stagesOf(settings: Settings): PlannedPhase['stages'] {
  const values: Readonly<Record<string, unknown>> = { ...settings };
  return Object.entries<StageRow>(beadStages).map(([stage, { setting }]) => {
    const value = setting === undefined ? true : values[setting];
    return { stage, label: stageLabel(stage), on: value !== undefined && value !== false && value !== 'off' };
  });
}
