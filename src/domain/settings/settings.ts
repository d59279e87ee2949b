import * as z from 'zod';
import { isRecord } from '../../base/json.ts';
import { type Lens, parseMember } from '../council/council.ts';
import { longestTimeoutMs, shapeOf } from './rows/row.ts';
import { settingRows } from './rows.ts';

/**
 * Planning by a council (`full`), one model in the same steps (`solo`), one model in one step (`quick`; see
 * docs/decisions/103-quick-tickets.md), or no model: the prompt is the only bead (`loop`; see
 * docs/decisions/142-loops.md).
 */
export const Depth = z.enum(['full', 'solo', 'quick', 'loop']);
export type Depth = z.infer<typeof Depth>;

/** Depths with a plan. */
export const plannedDepths = Depth.exclude(['loop']).options;
/** A depth with a plan. */
export type PlannedDepth = (typeof plannedDepths)[number];

/**
 * A ticket's settings, times in milliseconds, frozen at its start (docs/decisions/007-limits-and-caps.md).
 */
export const Settings = z.object({ depth: Depth.default('full'), ...shapeOf(settingRows, 'settings') });
export type Settings = z.infer<typeof Settings>;

const OldQuestions = z.looseObject({ aiQuestionsEnabled: z.boolean() });

/**
 * Stored settings. Earlier ones had a boolean for agents' questions, no reviews, and no policy for gates.
 * `auto` is decided at the start, so one that still has it isn't reviewed.
 */
export const StoredSettings = z.preprocess((stored) => {
  const old = OldQuestions.safeParse(stored).data;
  const known = old ? { agentQuestions: old.aiQuestionsEnabled ? 'timed' : 'deny', ...old } : stored;
  return isRecord(known)
    ? {
        passGates: 'off',
        ...known,
        review: known['review'] === 'auto' ? 'off' : (known['review'] ?? 'off'),
      }
    : known;
}, Settings);

/**
 * Timeouts, caps and budgets. 0 = one hour for times. Frozen per run, except budgets, which bound more than a
 * run.
 */
export const Limits = z.object(shapeOf(settingRows, 'limits'));
export type Limits = z.infer<typeof Limits>;

/** Settings of a repository. */
export const RepositorySettings = z.object({
  ...shapeOf(settingRows, 'repository'),
  /** Ignored files to copy, and folders to link, into worktrees. */
  worktreeIncludeFiles: z.array(z.string().min(1).max(1_000)).max(100).default([]),
  worktreeSymlinkFolders: z.array(z.string().min(1).max(1_000)).max(100).default([]),
});
export type RepositorySettings = z.infer<typeof RepositorySettings>;

/**
 * Completes settings: defaults, consistent depth and members, reviewers. Throws a ZodError that names the
 * setting.
 */
export function completeSettings(input: unknown): Settings {
  const settings = Settings.parse(input);
  return withReview(
    withCouncil({ ...settings, maxPasses: Math.max(settings.minPasses, settings.maxPasses) }),
  );
}

function withReview(settings: Settings): Settings {
  if (settings.review !== 'auto') return settings;
  return { ...settings, review: modelsOf(settings).size > 1 ? 'standard' : 'off' };
}

/** The main implementer, the council and the reviewer. */
export function modelsOf({ mainImplementer, councilMembers, reviewer }: Settings): ReadonlySet<string> {
  return new Set([mainImplementer, ...councilMembers, reviewer].filter((member) => member !== ''));
}

function withCouncil(settings: Settings): Settings {
  if (settings.depth === 'solo') return { ...settings, councilMembers: [], minCouncilQuorum: 1 };
  const members = [...new Set(settings.councilMembers)].filter(
    (member) => member !== settings.mainImplementer,
  );
  if (members.length === 0)
    return {
      ...settings,
      depth: settings.depth === 'full' ? 'solo' : settings.depth,
      councilMembers: [],
      minCouncilQuorum: 1,
    };
  return {
    ...settings,
    councilMembers: members,
    minCouncilQuorum: Math.min(settings.minCouncilQuorum, members.length + 1),
  };
}

/** All council members, main implementer first; alone for a quick ticket or loop. */
export function councilOf(settings: Settings): readonly string[] {
  const isAlone = settings.depth === 'quick' || settings.depth === 'loop';
  return isAlone ? [settings.mainImplementer] : [settings.mainImplementer, ...settings.councilMembers];
}

/**
 * The reviewing model: the set one, else a council member (preferably of another provider), else the main
 * implementer.
 */
export function reviewerOf({ reviewer, mainImplementer, councilMembers }: Settings): string {
  const { provider } = parseMember(mainImplementer);
  const other = councilMembers.find((member) => parseMember(member).provider !== provider);
  return reviewer || (other ?? councilMembers[0] ?? mainImplementer);
}

/** Settings for planning a quick ticket in full: with its council, or alone. */
export function inFull(settings: Settings): Settings {
  return completeSettings({ ...settings, depth: 'full' });
}

/** A council member's lens by place; none in a council of one. */
export function lensOf(settings: Settings, index: number): z.infer<typeof Lens> | undefined {
  const { councilLenses: given } = settings;
  return councilOf(settings).length > 1 ? given[index % Math.max(1, given.length)] : undefined;
}

/** True if gates that leave nothing to decide are passed (docs/decisions/190-gates-by-policy.md). */
export function passesGates({ passGates, depth }: Pick<Settings, 'passGates' | 'depth'>): boolean {
  return passGates === 'always' || (passGates === 'quick' && depth === 'quick');
}

/** A timeout in milliseconds; 0 means the longest. */
export function timeoutMs(value: number): number {
  return value === 0 ? longestTimeoutMs : value;
}

/** The number of attempts; 0 means 1. */
export function attemptsOf({ maxIterations }: Pick<Limits, 'maxIterations'>): number {
  return Math.max(1, maxIterations);
}
