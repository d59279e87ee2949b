import * as z from 'zod';
import { isRecord } from '../../base/json.ts';
import { type Lens, parseMember } from '../council/council.ts';
import { shapeOf } from './rows/row.ts';
import { settingRows } from './rows.ts';
import { longestTimeoutMs } from './rows/values.ts';

/**
 * The way in which a ticket is planned: by a council (`full`), by one model in the same steps (`solo`), by
 * one model in one step, with one approval (`quick`; see docs/decisions/103-quick-tickets.md), or by no
 * model: its prompt is its only bead (`loop`; see docs/decisions/142-loops.md).
 */
export const Depth = z.enum(['full', 'solo', 'quick', 'loop']);
export type Depth = z.infer<typeof Depth>;

/** The depths that have a plan; a loop isn't planned, and is started in its own way. */
export const plannedDepths = Depth.exclude(['loop']).options;
/** The depth of a ticket with a plan. */
export type PlannedDepth = (typeof plannedDepths)[number];

/**
 * The settings of a ticket's work, times in milliseconds. They are frozen when the ticket starts
 * (docs/decisions/007-limits-and-caps.md). The meaning of each value is in its row.
 */
export const Settings = z.object({ depth: Depth.default('full'), ...shapeOf(settingRows, 'settings') });
export type Settings = z.infer<typeof Settings>;

const OldQuestions = z.looseObject({ aiQuestionsEnabled: z.boolean() });

/**
 * Settings as a ticket has them in the database. Those of earlier versions said by a boolean whether agents
 * may ask, and nothing of reviews. `auto` is decided when a ticket starts, so one that still has it isn't
 * reviewed.
 */
export const StoredSettings = z.preprocess((stored) => {
  const old = OldQuestions.safeParse(stored).data;
  const known = old ? { agentQuestions: old.aiQuestionsEnabled ? 'timed' : 'deny', ...old } : stored;
  return isRecord(known)
    ? { ...known, review: known['review'] === 'auto' ? 'off' : (known['review'] ?? 'off') }
    : known;
}, Settings);

/**
 * Timeouts, caps and budgets: frozen per run, so that a change takes effect at the next entry into a status.
 * 0 = one hour for times. Budgets are read before each call instead: they bound more than a run.
 */
export const Limits = z.object(shapeOf(settingRows, 'limits'));
export type Limits = z.infer<typeof Limits>;

/** The settings of a repository that aren't a ticket's. */
export const RepositorySettings = z.object({
  ...shapeOf(settingRows, 'repository'),
  /** Patterns of ignored files that the editor copies, and of folders that it links, into every worktree. */
  worktreeIncludeFiles: z.array(z.string().min(1).max(1_000)).max(100).default([]),
  worktreeSymlinkFolders: z.array(z.string().min(1).max(1_000)).max(100).default([]),
});
export type RepositorySettings = z.infer<typeof RepositorySettings>;

/**
 * Fills in defaults, makes depth and members consistent (`solo` has no further member and a quorum of 1), and
 * decides who reviews. Throws a ZodError that names the setting.
 */
export function completeSettings(input: unknown): Settings {
  const settings = Settings.parse(input);
  return withReview(
    withCouncil({ ...settings, maxPasses: Math.max(settings.minPasses, settings.maxPasses) }),
  );
}

function withReview(settings: Settings): Settings {
  const models = new Set(
    [settings.mainImplementer, ...settings.councilMembers, settings.reviewer].filter(
      (member) => member !== '',
    ),
  );
  return settings.review === 'auto'
    ? { ...settings, review: models.size > 1 ? 'standard' : 'off' }
    : settings;
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

/**
 * All members of the council; the main implementer is always one, and first. A quick ticket and a loop have
 * no other.
 */
export function councilOf(settings: Settings): readonly string[] {
  const isAlone = settings.depth === 'quick' || settings.depth === 'loop';
  return isAlone ? [settings.mainImplementer] : [settings.mainImplementer, ...settings.councilMembers];
}

/**
 * Returns the model that reviews beads: the one that is set, else a council member, of another provider than
 * the main implementer's if there is one, else the main implementer.
 */
export function reviewerOf({ reviewer, mainImplementer, councilMembers }: Settings): string {
  const { provider } = parseMember(mainImplementer);
  const other = councilMembers.find((member) => parseMember(member).provider !== provider);
  return reviewer || (other ?? councilMembers[0] ?? mainImplementer);
}

/**
 * The settings of a quick ticket that is planned in full from now on: with its council, or alone where it has
 * none.
 */
export function inFull(settings: Settings): Settings {
  return completeSettings({ ...settings, depth: 'full' });
}

/**
 * Returns the lens of the member at a place of the council, which it concentrates on when it drafts; a
 * council of one has no lens.
 */
export function lensOf(settings: Settings, index: number): z.infer<typeof Lens> | undefined {
  const { councilLenses: given } = settings;
  return councilOf(settings).length > 1 ? given[index % Math.max(1, given.length)] : undefined;
}

/** A timeout in milliseconds, with 0 read as the longest. */
export function timeoutMs(value: number): number {
  return value === 0 ? longestTimeoutMs : value;
}

/** Returns how often something is tried, with 0 read as once. */
export function attemptsOf({ maxIterations }: Pick<Limits, 'maxIterations'>): number {
  return Math.max(1, maxIterations);
}
