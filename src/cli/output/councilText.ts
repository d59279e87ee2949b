import type { CouncilLedger } from '../../domain/council/ledger.ts';
import type { Opinion } from '../../domain/council/opinions.ts';
import { documents } from '../../domain/documents/documents.ts';
import type { CouncilReport } from '../../protocol/councilPapers.ts';
import { oneLine } from '../base/output.ts';

const longestName = 80;

/**
 * Returns lines with the winner of each council, the disagreements of its voters, the problems found in
 * drafts, and its costs and contributions. All reasons are in the JSON.
 */
export function councilLines(councils: readonly CouncilReport[]): string[] {
  if (councils.length === 0) return [];
  return ['', 'Councils:', ...councils.flatMap(linesOf)];
}

function linesOf({ domain, winner, tie, totals, opinions, checks, fewer, ledger }: CouncilReport): string[] {
  const scores = Object.entries(totals).map(([member, total]) => `${name(member)} ${String(total)}`);
  const how = opinions.length === 0 ? 'the only draft' : `${scores.join(', ')}${tie ? '; a tie' : ''}`;
  const found = Object.entries(checks).flatMap(([member, lines]) =>
    lines.map((line) => `found in ${name(member)}: ${oneLine(line, 400)}`),
  );
  const few = fewer
    ? [`only ${String(fewer.decided)} decided, where the quorum asks for ${String(fewer.wanted)}`]
    : [];
  const details = [
    ...few,
    ...opinions.flatMap(disagreement),
    ...found,
    ...(ledger ? ledgerLines(ledger) : []),
  ];
  return [
    `  ${documents[domain].title}: ${name(winner)} (${how})`,
    ...details.map((line) => `      ${line}`),
  ];
}

function disagreement({ draft, category, spread, dissent, voices }: Opinion): string[] {
  if (dissent.length === 0) return [];
  const said = voices
    .filter(({ voter }) => dissent.includes(voter))
    .map(({ voter, score }) => `${name(voter)} gave ${String(score)}`);
  return [
    `disagreement on ${category} of ${name(draft)} (spread ${String(spread)} of 20): ${said.join(', ')}`,
  ];
}

function ledgerLines({ members, winner, soloWouldDo }: CouncilLedger): string[] {
  const lines = members.map(({ member, calls, ms, input, output, isShared, texts, survived }) => {
    const about = isShared ? 'about ' : '';
    const used = `${String(calls)} calls, ${(ms / 1_000).toFixed(1)} s, ${about}${String(input)} tokens in, ${about}${String(output)} out`;
    return `${name(member)}: ${used}; ${String(survived)} of ${String(texts)} texts are in the result`;
  });
  return soloWouldDo
    ? [...lines, `Nothing of the other drafts is in the result: ${name(winner)} alone would have done.`]
    : lines;
}

function name(member: string): string {
  return oneLine(member, longestName);
}
