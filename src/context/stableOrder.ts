import { sha256 } from '../base/sha256.ts';
import type { PromptPart, PromptPlan } from '../domain/usage/promptPlan.ts';
import { classRank, laterClass, partRow } from './partRow.ts';

/** An earlier prompt. */
export interface EarlierPrompt {
  readonly run: string;
  readonly bead: string | null;
  readonly plan: Pick<PromptPlan, 'parts'>;
}

type SentPart = PromptPlan['parts'][number];

/** With more changes in so many assemblies, a part moves one class later. */
const assemblies = 10;
const mostChanges = 3;

/**
 * Orders a prompt (docs/decisions/154-order-by-last-change.md): `ticket_details`, then by class and last
 * change, oldest first; parts that change often are `demoted` by one class. `earlier`: the same kind of
 * prompt by other runs, oldest first, so that parallel sessions get the same order. Unchanged parts keep
 * their places in the last run's prompt, and changed ones follow, so that at least as much stays cached as in
 * list order.
 */
export function inStableOrder(
  parts: readonly PromptPart[],
  {
    earlier,
    bead = null,
    hashOf = (part) => sha256(part.content),
  }: {
    readonly earlier: readonly EarlierPrompt[];
    readonly bead?: string | null | undefined;
    readonly hashOf?: (part: PromptPart) => string;
  },
): readonly PromptPart[] {
  if (earlier.length === 0) return parts;
  const everyRun = runsOf(earlier);
  const runsOfBead = runsOf(earlier.filter((one) => one.bead === bead));
  const placed = parts.map((part) =>
    placeOf(part, hashOf(part), part.stability === 0 ? everyRun : runsOfBead),
  );
  const fixed = new Set(
    placed.filter(({ part }) => partRow(part.name)?.varies === true).map(({ part }) => part.stability),
  );
  // Parts of class 3 differ in every call, so they never move.
  const mayMove = ({ stability }: PromptPart): boolean => stability < 3 && !fixed.has(stability);
  const rank = ({ part, place }: Placed): number => (mayMove(part) ? place : 0);
  return placed
    .toSorted((one, other) => classRank(one.part) - classRank(other.part) || compare(rank(one), rank(other)))
    .map(({ part }) => part);
}

interface Placed {
  readonly part: PromptPart;
  readonly place: number;
}

function placeOf(part: PromptPart, hash: string, runs: readonly Run[]): Placed {
  const row = partRow(part.name);
  const last = runs.at(-1);
  const before = last?.get(part.name);
  if (before && (row?.varies === true || before.hashes.has(hash))) {
    // Another class would lose what the cache holds.
    const { place, sent } = before;
    return { part: sent.demoted === true ? demote(part) : part, place };
  }
  const mayStand = row?.protected === true || row?.varies === true || part.stability === 3;
  const isUnsteady = !mayStand && changesOf(part.name, hash, runs) > mostChanges;
  return { part: isUnsteady ? demote(part) : part, place: Number.POSITIVE_INFINITY };
}

type Run = ReadonlyMap<
  string,
  { readonly hashes: ReadonlySet<string>; readonly sent: SentPart; readonly place: number }
>;

function runsOf(earlier: readonly EarlierPrompt[]): readonly Run[] {
  return [...Map.groupBy(earlier, ({ run }) => run).values()].map((prompts) => {
    // A smaller window or a person may have left something out.
    const fullest = prompts.toSorted((one, other) => other.plan.parts.length - one.plan.parts.length)[0];
    const versions = Map.groupBy(
      prompts.flatMap(({ plan }) => plan.parts),
      ({ name }) => name,
    );
    return new Map(
      (fullest?.plan.parts ?? []).map((sent, place) => {
        const hashes = new Set((versions.get(sent.name) ?? []).map((version) => version.sha256));
        return [sent.name, { hashes, sent, place }] as const;
      }),
    );
  });
}

function changesOf(name: string, hash: string, runs: readonly Run[]): number {
  const contents = [...runs.flatMap((run) => run.get(name)?.hashes ?? []), new Set([hash])].slice(
    -assemblies - 1,
  );
  return contents.filter((now, at) => at > 0 && now.isDisjointFrom(contents[at - 1] ?? new Set())).length;
}

function demote(part: PromptPart): PromptPart {
  return { ...part, stability: laterClass[part.stability], demoted: true };
}

/** Infinite places are equal, but have no difference. */
function compare(one: number, other: number): number {
  return one === other ? 0 : one < other ? -1 : 1;
}
