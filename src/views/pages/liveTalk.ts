import { l10n } from 'vscode';
import type { Usage } from '../../domain/usage/promptPlan.ts';
import { stageLabel } from '../../domain/beads/beadStages.ts';
import type { CallTexts, CallView, RunView } from '../../protocol/history.ts';
import type { LiveTalk } from '../../protocol/pages/reviews.ts';
import { recommendations } from '../../domain/beads/analysis.ts';
import { Severity } from '../../domain/findings/finding.ts';
import type { Client } from '../../protocol/api.ts';
import { choiceText } from '../gates/failedBead.ts';
import { severityLabels } from '../../protocol/findings/findingTexts.ts';

/** Models talk about the work and don't do it. */
const talkStages: ReadonlySet<string> = new Set(['kickoff', 'review', 'analyse']);

interface OpenTalk {
  readonly run: string;
  readonly bead: string;
  readonly iteration: number;
  readonly stage: string;
  readonly since: number;
  /** The keys of its steps that are at work. */
  readonly open: readonly string[];
}

export function openTalk(runs: readonly RunView[]): OpenTalk | undefined {
  for (const { run, bead, iteration, state, stages } of runs.flatMap((one) => one.iterations)) {
    const open = state === 'open' ? stages.findLast((stage) => stage.state === 'open') : undefined;
    if (open && talkStages.has(open.stage))
      return { run, bead, iteration, stage: open.stage, since: open.startedAt, open: open.open };
  }
  return undefined;
}

/** `gists` say what answers come to, by call. */
export function liveTalk(
  { run, bead, iteration, stage, since, open }: OpenTalk,
  calls: readonly CallView[],
  usage: readonly (Usage & { readonly run: string; readonly call: string | null })[],
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
    label: l10n.t(stageLabel(stage)),
    since,
    answeredAt,
    speaking,
    answers: rows,
    ...sums(rows),
  };
}

export function answersOf(
  { run, since }: Pick<OpenTalk, 'run' | 'since'>,
  calls: readonly CallView[],
): readonly CallView[] {
  return calls.filter((call) => call.run === run && call.startedAt >= since);
}

/**
 * The persona of a party's step or of a call of it: the part of the step's key before the question. Empty for
 * a reviewer without one.
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

/** So many of the last answers are read: a talk has less, unless models repeat themselves. */
const mostRead = 20;
const longest = 200_000;

export async function readTalk(
  client: Pick<Client, 'history' | 'usage'>,
  ticket: string,
  talk: OpenTalk,
): Promise<LiveTalk> {
  const [calls, used] = await Promise.all([client.history.calls(ticket), client.usage(ticket)]);
  const accepted = answersOf(talk, calls).filter(({ outcome }) => outcome === 'accepted');
  const texts = await Promise.all(accepted.slice(-mostRead).map(({ id }) => client.history.call(ticket, id)));
  const gists = new Map(texts.flatMap((call) => (call ? [[call.id, talkGist(call)] as const] : [])));
  return liveTalk(talk, calls, used, gists);
}

/** A model's unchecked claim: its text is only searched for known words. */
export function talkGist({ prompt, output }: Pick<CallTexts, 'prompt' | 'output'>): string {
  if (prompt === 'party-vote') return votesText(wordsOf('vote', output));
  if (prompt === 'failure-analysis') {
    const [word] = wordsOf('recommendation', output);
    const said = recommendations.find((one) => one === word);
    return said === undefined ? '' : l10n.t('recommends: {0}', choiceText(said).label);
  }
  if (!prompt.startsWith('review')) return '';
  const severities = wordsOf('severity', output).flatMap((word) => Severity.safeParse(word).data ?? []);
  const counts = Severity.options.flatMap((severity) => {
    const count = severities.filter((one) => one === severity).length;
    return count === 0 ? [] : `${String(count)} ${l10n.t(severityLabels[severity])}`;
  });
  return counts.length === 0 ? l10n.t('found nothing') : l10n.t('found: {0}', counts.join(', '));
}

function votesText(votes: readonly string[]): string {
  const of = (vote: string): string => String(votes.filter((one) => one === vote).length);
  return l10n.t('votes: {0} confirmed, {1} rejected', of('confirm'), of('reject'));
}

/** Words of a key in YAML or JSON. What stands in the middle of a value is no key. */
function wordsOf(key: string, text: string): readonly string[] {
  const written = new RegExp(
    `(?:^[ \\t]{0,40}(?:-[ \\t]{1,9})?|[{,][ \\t]{0,9})["']?${key}["']?[ \\t]{0,9}:[ \\t]{0,9}["']?(\\w{1,40})`,
    'gm',
  );
  return [...text.slice(0, longest).matchAll(written)].map(([, word = '']) => word.toLowerCase());
}
