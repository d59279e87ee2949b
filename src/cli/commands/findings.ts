import { joined } from '../../base/joined.ts';
import type { FindingVerdict } from '../../domain/findings/decision.ts';
import type { ReviewerCount } from '../../domain/findings/reviewerCounts.ts';
import { BeadsmithError } from '../../domain/core/errors.ts';
import { formOf } from '../../domain/workflow/forms.ts';
import type { FindingView } from '../../protocol/findings.ts';
import { type ListedFinding, readFindings } from '../../protocol/findings/findingStates.ts';
import { findingPlace, severityLabels, standingText } from '../../protocol/findings/findingTexts.ts';
import { actionCommand, optionSentence } from '../drive/actionCommand.ts';
import { type Command, endCommand } from '../base/command.ts';
import { onTickets, ownOrTeam } from '../drive/team.ts';
import { UsageError } from '../base/args.ts';
import { ticketIdOf } from '../options/options.ts';
import { noteLines } from '../output/contextLines.ts';
import { oneLine } from '../base/output.ts';
import type { Dismissal } from '../../domain/findings/dismissal.ts';
import type { Client } from '../../protocol/api.ts';

export const list: Command = {
  name: 'findings',
  words: 'ABC-12 | --reviewers',
  about:
    'list the findings of a ticket, or how many findings each reviewer raised in all tickets and how many were confirmed',
  takes: [0, 1],
  changes: 'nothing',
  options: { ...ownOrTeam, reviewers: { about: 'count findings of all tickets by reviewer' } },
  run: (context, args) => {
    const [word] = args.positionals;
    const byReviewer = args.flag('reviewers');
    if (byReviewer === (word !== undefined)) throw new UsageError('Specify a ticket, or use --reviewers.');
    const ticket = word === undefined ? null : ticketIdOf(word);
    return onTickets(context, args, async ({ client }) => {
      const { output } = context;
      if (ticket === null) {
        const counts = await client.findings.reviewers();
        for (const count of counts) output.event({ type: 'reviewer', ...count });
        output.text(counts.length === 0 ? 'No reviews yet.' : counts.map(countLine).join('\n'));
      } else {
        const found = await readFindings(client, ticket);
        for (const one of found) output.event(findingEvent(ticket, one));
        const notes = noteLines(await client.findings.waitingNotes(ticket));
        output.text(
          [...(found.length === 0 ? ['No findings yet.'] : found.map(findingLines)), ...notes].join('\n'),
        );
      }
      return endCommand(context, { ticket });
    });
  },
};

export const accept = decision(
  'accept',
  'have a finding fixed regardless of its severity; if its bead is finished, it becomes a fix bead',
);

export const dismiss = decision(
  'dismiss',
  'dismiss a finding with a reason, which later reviews of the repository receive',
);

export const makeBead = decision(
  'bead',
  'make a bead from a finding, to be coded once its own bead is finished',
);

export const reviewNote = actionCommand({
  name: 'review note',
  kind: 'review_note',
  words: 'TEXT',
  about: optionSentence(formOf('review_note').about),
  takes: [1, 1],
  body: ({ words: [text = ''] }) => ({ text }),
});

function decision(verdict: FindingVerdict, about: string): Command {
  return actionCommand({
    name: `finding ${verdict}`,
    kind: 'finding',
    words: 'ID',
    about,
    takes: [1, 1],
    options: {
      reason: {
        value: 'TEXT',
        about: verdict === 'dismiss' ? 'reason; required' : 'reason; shown with the finding',
      },
    },
    body: async ({ context, args, words: [id = ''], client, detail }) => {
      const reason = args.text('reason') ?? '';
      if (verdict === 'dismiss' && reason.trim() === '')
        throw new UsageError('A dismissal needs a reason: --reason TEXT.');
      const ticket = detail.ticket.id;
      const found = (await readFindings(client, ticket)).find(({ finding }) => finding.id === id);
      if (!found) throw new BeadsmithError('FINDING_UNKNOWN', { ticket, finding: oneLine(id, 80) });
      context.output.text(findingLines(found));
      return { finding: id, verdict, reason, sha256: found.sha256 };
    },
  });
}

function findingEvent(
  ticket: string,
  { finding, review, decision: last, standing, pending, sha256 }: FindingView,
) {
  const { bead, iteration, round, reviewer } = review;
  const decided = { verdict: last?.verdict ?? null, reason: last?.reason ?? '', pending, sha256 };
  return {
    type: 'finding',
    ticket,
    ...finding,
    standing,
    bead,
    iteration,
    round,
    reviewer,
    ...decided,
  } as const;
}

function findingLines(one: ListedFinding): string {
  const { id, severity, category, claim } = one.finding;
  const reason = oneLine(one.decision?.reason ?? '');
  const state = joined([standingText(one), reason], ': ');
  const about = `${severityLabels[severity]}, ${oneLine(category, 80)}, ${oneLine(findingPlace(one.finding))}`;
  return `${id}  ${state}  ${about}\n    ${oneLine(claim, 1_000)}`;
}

function countLine({
  reviewer,
  reviews,
  raised,
  founded,
  confirmed,
  fixed,
  dismissed,
}: ReviewerCount): string {
  const share = raised === 0 ? '–' : `${String(Math.round((confirmed / raised) * 100))}%`;
  const counts = `raised ${String(raised)} in ${String(reviews)} reviews, well-founded ${String(founded)}, fixed ${String(fixed)}, dismissed ${String(dismissed)}`;
  return `${oneLine(reviewer, 80)}  confirmed ${String(confirmed)} of ${String(raised)} (${share})  ${counts}`;
}

export const listDismissals: Command = {
  name: 'dismissals list',
  words: '',
  about: 'list the dismissed findings of this repository, as later reviews receive them',
  takes: [0, 0],
  changes: 'nothing',
  options: ownOrTeam,
  run: (context, args) =>
    onTickets(context, args, async ({ client }) => {
      const all = await client.findings.dismissals();
      for (const dismissal of all)
        context.output.event({ type: 'dismissal', state: 'remembered', ...dismissal });
      context.output.text(all.length === 0 ? 'No dismissed findings yet.' : all.map(lineOf).join('\n'));
      return endCommand(context);
    }),
};

export const changeDismissal: Command = {
  name: 'dismissals edit',
  words: 'N --reason TEXT',
  about: 'change the reason of a dismissal',
  takes: [1, 1],
  changes: 'always',
  options: { ...ownOrTeam, reason: { value: 'TEXT', about: 'new reason; required' } },
  run: (context, args) => {
    const number = numberOf(args.positionals[0]);
    const reason = args.text('reason') ?? '';
    if (reason.trim() === '') throw new UsageError('Specify the new reason: --reason TEXT.');
    return onTickets(context, args, async ({ client, decider }) => {
      const before = await dismissalOf(client, number);
      await decider.confirm(`${lineOf(before)}\nNew reason: ${oneLine(reason, 1_000)}\n`);
      const changed = await client.findings.changeDismissal({ number, revision: before.revision, reason });
      context.output.event({ type: 'dismissal', state: 'changed', ...changed });
      context.output.text(lineOf(changed));
      return endCommand(context);
    });
  },
};

export const removeDismissal: Command = {
  name: 'dismissals remove',
  words: 'N',
  about: 'remove a dismissal, so that findings that repeat it count again',
  takes: [1, 1],
  changes: 'always',
  options: ownOrTeam,
  run: (context, args) => {
    const number = numberOf(args.positionals[0]);
    return onTickets(context, args, async ({ client, decider }) => {
      const removed = await dismissalOf(client, number);
      await decider.confirm(`${lineOf(removed)}\nIt will be removed.\n`);
      await client.findings.removeDismissal(number);
      context.output.event({ type: 'dismissal', state: 'removed', ...removed });
      context.output.text(`Removed dismissal ${String(number)}.`);
      return endCommand(context);
    });
  },
};

function numberOf(word: string | undefined): number {
  if (word === undefined || !/^[1-9]\d{0,8}$/.test(word))
    throw new UsageError('Specify a dismissal by its number; "dismissals list" shows them.');
  return Number(word);
}

async function dismissalOf(client: Client, number: number): Promise<Dismissal> {
  const found = (await client.findings.dismissals()).find((dismissal) => dismissal.number === number);
  if (!found) throw new BeadsmithError('DISMISSAL_UNKNOWN', { number });
  return found;
}

function lineOf({ number, ticket, category, file, claim, reason, at }: Dismissal): string {
  const about = `${ticket}, ${at.slice(0, 10)}, ${oneLine(category, 80)}, ${oneLine(file)}`;
  return `${String(number)}  ${about}\n    ${oneLine(claim, 1_000)}\n    Dismissed: ${oneLine(reason, 1_000)}`;
}
