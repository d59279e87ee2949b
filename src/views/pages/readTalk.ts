import { l10n } from 'vscode';
import { recommendations } from '../../domain/beads/analysis.ts';
import { Severity } from '../../domain/findings/finding.ts';
import type { Client } from '../../protocol/api.ts';
import type { CallTexts } from '../../protocol/history.ts';
import type { LiveTalk } from '../../protocol/pages/reviews.ts';
import { choiceText } from '../gates/failedBead.ts';
import { severityText } from '../review/findingTexts.ts';
import { answersOf, liveTalk, type OpenTalk } from './liveTalk.ts';

/** So many of the last answers are read: a talk has less, unless models repeat themselves. */
const mostRead = 20;
/** No answer of a talk that says something has more characters. */
const longest = 200_000;

/**
 * The talk that is under way, with what each answer comes to. `words` puts a text of ours into the person's
 * language.
 */
export async function readTalk(
  client: Pick<Client, 'history' | 'usage'>,
  ticket: string,
  talk: OpenTalk,
  words: (text: string) => string,
): Promise<LiveTalk> {
  const [calls, used] = await Promise.all([client.history.calls(ticket), client.usage(ticket)]);
  const accepted = answersOf(talk, calls).filter(({ outcome }) => outcome === 'accepted');
  const texts = await Promise.all(accepted.slice(-mostRead).map(({ id }) => client.history.call(ticket, id)));
  const gists = new Map(texts.flatMap((call) => (call ? [[call.id, talkGist(call)] as const] : [])));
  return liveTalk(talk, calls, used, words, gists);
}

/**
 * Returns the gist of a talk's answer in a few words, as its model claims: the engine has checked nothing of
 * it yet. Empty where the answer says nothing that can be counted. The text is a model's, so it is only
 * searched for known words.
 */
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
    return count === 0 ? [] : `${String(count)} ${severityText(severity)}`;
  });
  return counts.length === 0 ? l10n.t('found nothing') : l10n.t('found: {0}', counts.join(', '));
}

function votesText(votes: readonly string[]): string {
  const of = (vote: string): string => String(votes.filter((one) => one === vote).length);
  return l10n.t('votes: {0} confirmed, {1} rejected', of('confirm'), of('reject'));
}

/** The words that a key has in a text of YAML or JSON. What stands in the middle of a value is no key. */
function wordsOf(key: string, text: string): readonly string[] {
  const written = new RegExp(
    `(?:^[ \\t]{0,40}(?:-[ \\t]{1,9})?|[{,][ \\t]{0,9})["']?${key}["']?[ \\t]{0,9}:[ \\t]{0,9}["']?(\\w{1,40})`,
    'gm',
  );
  return [...text.slice(0, longest).matchAll(written)].map(([, word = '']) => word.toLowerCase());
}
