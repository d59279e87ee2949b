import { hash } from 'node:crypto';
import type { ScriptInput } from '../../../src/demo/script/modelScript.ts';

/** In the order in which a ticket meets them. */
const approvals = {
  interview: [],
  answers: ['interview-answers'],
  prd: ['interview-answers', 'interview'],
  beads: ['interview-answers', 'interview', 'prd'],
  setup: ['interview-answers', 'interview', 'prd', 'beads'],
  review: ['interview-answers', 'interview', 'prd', 'beads', 'setup'],
  closed: ['interview-answers', 'interview', 'prd', 'beads', 'setup', 'review'],
} as const;

export type Stop = 'draft' | keyof typeof approvals;
const stops: readonly Stop[] = ['draft', ...(Object.keys(approvals) as (keyof typeof approvals)[])];

/** Run by command line as far as one of its gates, or only filed. */
export interface PreparedTicket {
  readonly title: string;
  readonly at: Stop;
  readonly options?: readonly string[];
}

/** How it asks questions, by their ids, or what it does about tasks. */
export type Played = Partial<Pick<ScriptInput, 'questions' | 'tasks'>>;

/** Filed one after the other. */
export interface Scene {
  readonly tickets: readonly PreparedTicket[];
  readonly played: Played;
}

/** Undefined when it is only filed. */
export function approvalsUpTo(stop: Stop): readonly string[] | undefined {
  return stop === 'draft' ? undefined : approvals[stop];
}

/** The same for all tests in which the same happened until now. */
export function nameOf({ tickets, played }: Scene): string {
  return hash('sha256', JSON.stringify([tickets, relevant(tickets, played)])).slice(0, 12);
}

/** Scenes of which one continues another have the same. */
export function placeOf({ tickets: [first], played }: Scene): string {
  return hash('sha256', JSON.stringify([first?.title, first?.options ?? [], played.questions ?? {}])).slice(
    0,
    8,
  );
}

/** Latest first. */
export function earlier({ tickets, played }: Scene): readonly Scene[] {
  const before = tickets.slice(0, -1);
  const last = tickets.at(-1);
  if (!last) return [];
  // Filing costs nothing beside a run.
  const sooner = stops.slice(1, Math.max(1, stops.indexOf(last.at))).toReversed();
  const scenes = sooner.map((at) => ({ tickets: [...before, { ...last, at }], played }));
  return before.length > 0
    ? [...scenes, { tickets: before, played }, ...earlier({ tickets: before, played })]
    : scenes;
}

/** Nobody codes before a setup is approved, so what the model would do then makes no difference. */
function relevant(tickets: readonly PreparedTicket[], { questions = {}, tasks = {} }: Played): Played {
  const isCoded = tickets.some(({ at }) => at === 'review' || at === 'closed');
  return {
    questions,
    tasks: isCoded
      ? tasks
      : Object.fromEntries(Object.entries(tasks).filter(([task]) => !afterSetup.has(task))),
  };
}

const afterSetup = new Set(['coding', 'review', 'fix', 'failure-analysis']);
