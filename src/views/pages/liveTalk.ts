import type { Usage } from '../../domain/usage/promptPlan.ts';
import { stageLabel } from '../../domain/beads/beadStages.ts';
import type { CallView, RunView } from '../../protocol/history.ts';
import type { LiveTalk } from '../../protocol/pages/reviews.ts';

/** The stages in which models talk about the work and don't do it. */
const talkStages: ReadonlySet<string> = new Set(['kickoff', 'review', 'analyse']);

/** An iteration whose open stage is one in which models talk. */
export interface OpenTalk {
  readonly run: string;
  readonly bead: string;
  readonly iteration: number;
  readonly stage: string;
  readonly since: number;
  /** The keys of its steps that are at work. */
  readonly open: readonly string[];
}

/** The talk that is under way; undefined while there is none. */
export function openTalk(runs: readonly RunView[]): OpenTalk | undefined {
  for (const { run, bead, iteration, state, stages } of runs.flatMap((one) => one.iterations)) {
    const open = state === 'open' ? stages.findLast((stage) => stage.state === 'open') : undefined;
    if (open && talkStages.has(open.stage))
      return { run, bead, iteration, stage: open.stage, since: open.startedAt, open: open.open };
  }
  return undefined;
}

/**
 * Returns the state of a talk that is going on: who has answered since it started, what each one said, and
 * what it cost so far. `words` puts a text of ours into the person's language; `gists` say what answers come
 * to, by call.
 */
export function liveTalk(
  { run, bead, iteration, stage, since, open }: OpenTalk,
  calls: readonly CallView[],
  usage: readonly (Usage & { readonly run: string; readonly call: string | null })[],
  words: (text: string) => string,
  gists: ReadonlyMap<string, string>,
): LiveTalk {
  const answered = answersOf({ run, since }, calls);
  const rows = answered.map(({ id, member, outcome, startedAt, endedAt }) => {
    const own = usage.filter(({ call }) => call === id);
    return {
      id,
      speaker: personaOf(id),
      member,
      outcome,
      gist: gists.get(id) ?? '',
      ms: endedAt - startedAt,
      ...sums(own),
    };
  });
  const answeredAt = Math.max(since, ...answered.map(({ endedAt }) => endedAt));
  const speaking = [...new Set(open.map(personaOf))].filter((persona) => persona !== '');
  return {
    bead,
    iteration,
    label: words(stageLabel(stage)),
    since,
    answeredAt,
    speaking,
    answers: rows,
    ...sums(rows),
  };
}

/** The answers that came since a talk began. */
export function answersOf(
  { run, since }: Pick<OpenTalk, 'run' | 'since'>,
  calls: readonly CallView[],
): readonly CallView[] {
  return calls.filter((call) => call.run === run && call.startedAt >= since);
}

/**
 * The persona whom a step of a party asks, or whose answer a call of it is: the part of the step's key before
 * the question. Empty for a reviewer without one.
 */
export function personaOf(call: string): string {
  return /^.*\/([a-z][a-z0-9-]*)\/(?:review|vote|kickoff|analysis)(?:$|[:@#-])/.exec(call)?.[1] ?? '';
}

type Counted =
  | Pick<Usage, 'input' | 'cacheRead' | 'cacheWrite' | 'output' | 'reasoning' | 'cost'>
  | { readonly tokens: number; readonly cost: number };

function sums(parts: readonly Counted[]): { readonly tokens: number; readonly cost: number } {
  const tokens = (one: Counted): number =>
    'tokens' in one ? one.tokens : one.input + one.cacheRead + one.cacheWrite + one.output + one.reasoning;
  return {
    tokens: parts.reduce((sum, one) => sum + tokens(one), 0),
    cost: parts.reduce((sum, one) => sum + one.cost, 0),
  };
}
