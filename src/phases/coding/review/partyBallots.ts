import { type Ballot, BallotAnswer } from '../../../domain/findings/finding.ts';
import type { Parsed } from '../../shared/structured/askTypes.ts';
import { parsedAs } from '../../shared/structured/askTypes.ts';
import { parseStructured } from '../../shared/structured/parseStructured.ts';

/**
 * Reads the ballots on these findings, in the order in which they were shown: by their ids, or as
 * `Finding 1`. One on anything else is asked about.
 */
export function parseBallots(ids: readonly string[]): (text: string) => Parsed<BallotAnswer> {
  const read = parseStructured({
    schema: BallotAnswer,
    check: ({ ballots }) => {
      const odd = ballots
        .filter(({ finding }) => idOf(finding, ids) === undefined)
        .map(({ finding }) => finding.slice(0, 60));
      return odd.length === 0
        ? undefined
        : `ballots: there is no finding ${odd.slice(0, 5).join(', ')}. The findings are ${ids.join(', ')}.`;
    },
  });
  const named = (ballot: Ballot): Ballot => ({
    ...ballot,
    finding: idOf(ballot.finding, ids) ?? ballot.finding,
  });
  return (text) => parsedAs(read(text), ({ ballots }) => ({ ballots: ballots.map(named) }));
}

/** The finding that a text names; the longest id where one begins another. */
function idOf(text: string, ids: readonly string[]): string | undefined {
  const bare = text.replaceAll(/^[\s`"'[(#]+|[\s`"'\])]+$/g, '');
  if (ids.includes(bare)) return bare;
  const [, place] = /^(?:finding|f|no|number)?[\s.#:-]*(\d{1,3})[.:]?$/i.exec(bare) ?? [];
  if (place !== undefined) return ids[Number(place) - 1];
  const words = new Set(bare.split(/[\s`"'[\](),]+/).map((word) => word.replace(/[:.;]+$/, '')));
  const found = ids.filter((id) => words.has(id));
  return found.length === 1 ? found[0] : undefined;
}
