import { parse } from 'yaml';
import type { Section } from '../../../context/sections.ts';
import { CouncilVotes, type CouncilVote } from '../../../domain/council/council.ts';
import { draftLabel } from '../../../domain/council/labels.ts';
import { type Opinion, opinionsOf, told } from '../../../domain/council/opinions.ts';
import { readText } from '../../../domain/documents/base/text.ts';
import type { Domain } from '../../../domain/documents/workDocuments.ts';
import type { RecordIo } from '../../../engine/run/run.ts';
import { checksText, storedWinner, validDrafts } from './drafts.ts';

/** The winner's draft first: places are labels in all that the refiner is told. */
export async function winnerFirst(io: RecordIo, domain: Domain): Promise<readonly string[]> {
  return (await refinersOrder(io, domain)).map(({ content }) => content);
}

export async function winningDraft(io: RecordIo, domain: Domain): Promise<unknown> {
  const read = readText('yaml', (await winnerFirst(io, domain))[0] ?? '');
  return read.ok ? read.value : undefined;
}

export async function refineSections(io: RecordIo, domain: Domain): Promise<readonly Section[]> {
  const order = (await refinersOrder(io, domain)).map(({ member }) => member);
  const stored = await io.ports.store.artifact(io.ticket, `${domain}_votes`);
  const { votes, checks = {} } = stored ? CouncilVotes.parse(parse(stored.content)) : { votes: [] };
  return [
    { name: 'draft_checks', content: checksText(checks, order) },
    { name: 'council_votes', content: votesText(votes, order) },
  ];
}

async function refinersOrder(io: RecordIo, domain: Domain): ReturnType<typeof validDrafts> {
  const [drafts, winner] = [await validDrafts(io, domain), await storedWinner(io, domain)];
  return [
    ...drafts.filter((draft) => draft.member === winner),
    ...drafts.filter((draft) => draft.member !== winner),
  ];
}

/** Voters are numbered, and drafts labelled, also in reasons: nobody learns whose draft or voice it is. */
export function votesText(votes: readonly CouncilVote[], order: readonly string[]): string {
  const labelOf = (member: string): string => draftLabel(order.indexOf(member));
  const voters = votes.map(({ voter }) => voter);
  const nameOf = (voter: string): string => `Voter ${voters.indexOf(voter) + 1}`;
  const opinions = Map.groupBy(opinionsOf(votes, labelOf), ({ draft }) => draft);
  return order
    .flatMap((member) => {
      const own = opinions.get(member);
      if (!own) return [];
      const whole = votes.flatMap((vote) => {
        const reason = told(vote, vote.scores[member]?.reason ?? '', labelOf);
        return reason === '' ? [] : [`- in all, ${nameOf(vote.voter)}: ${reason}`];
      });
      const lines = own.flatMap((opinion) => opinionLines(opinion, nameOf));
      return [[`### ${labelOf(member)}`, '', ...lines, ...whole].join('\n')];
    })
    .join('\n\n');
}

function opinionLines(
  { category, mean, spread, dissent, voices }: Opinion,
  nameOf: (voter: string) => string,
): string[] {
  const apart = dissent.length === 0 ? '' : `, dissent: ${dissent.map(nameOf).join(', ')}`;
  return [
    `- ${category}: ${mean} of 20, spread ${spread}${apart}`,
    ...voices.map(({ voter, score, reason, quoted }) => {
      const text = reason === '' ? '' : `: ${reason}${quoted ? '' : ' (quotes nothing of the draft)'}`;
      return `  - ${nameOf(voter)} gave ${score}${text}`;
    }),
  ];
}
