import { sha256 } from '../base/sha256.ts';
import type { PromptPart, PromptPlan } from '../domain/usage/promptPlan.ts';
import { partRow } from './partRow.ts';

/** An earlier prompt, the `run` of a status or iteration that sent it, and the bead it was about. */
export interface EarlierPrompt {
  readonly run: string;
  readonly bead: string | null;
  readonly plan: Pick<PromptPlan, 'parts'>;
}

type SentPart = PromptPlan['parts'][number];

/** The assemblies in which a part's changes are counted, and the most before it stands a class later. */
const assemblies = 10;
const mostChanges = 3;

/**
 * The order of a prompt (docs/decisions/154-order-by-last-change.md): `ticket_details`, then by class, and in
 * a class by when parts last changed, the oldest first. A part that changed in more than 30 % of its last ten
 * assemblies is `demoted`: it stands one class later.
 *
 * `parts`: in the order of a first prompt, as `buildMinimalContext` answers them. `earlier`: prompts of the
 * same kind by other runs, oldest first: what the same run sends doesn't count, so that sessions that are
 * asked side by side get the same order, whichever ends first. `bead`: the one the prompt is about.
 *
 * What didn't change since the last run keeps the place it had in that run's prompt, and what changed follows
 * it. So a prompt shares at least the beginning with that one that it would share in the order of the list.
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
  // What differs in every call has changed last of all, whatever the call before it was.
  const mayMove = ({ stability }: PromptPart): boolean => stability < 3 && !fixed.has(stability);
  const rank = ({ part, place }: Placed): number => (mayMove(part) ? place : 0);
  return placed
    .toSorted((one, other) => classOf(one.part) - classOf(other.part) || compare(rank(one), rank(other)))
    .map(({ part }) => part);
}

/** A part with its class, and its place in the last prompt: infinite if it changed since. */
interface Placed {
  readonly part: PromptPart;
  readonly place: number;
}

function placeOf(part: PromptPart, hash: string, runs: readonly Run[]): Placed {
  const row = partRow(part.name);
  const last = runs.at(-1);
  const before = last?.get(part.name);
  if (before && (row?.varies === true || before.hashes.has(hash))) {
    // To stand in another class while nothing changed would cost what the cache holds.
    const { place, sent } = before;
    return { part: sent.demoted === true ? demote(part) : part, place };
  }
  const mayStand = row?.protected === true || row?.varies === true || part.stability === 3;
  const isUnsteady = !mayStand && changesOf(part.name, hash, runs) > mostChanges;
  return { part: isUnsteady ? demote(part) : part, place: Number.POSITIVE_INFINITY };
}

/** The parts that a run sent: all their versions, and the part and its place in the fullest prompt. */
type Run = ReadonlyMap<
  string,
  { readonly hashes: ReadonlySet<string>; readonly sent: SentPart; readonly place: number }
>;

function runsOf(earlier: readonly EarlierPrompt[]): readonly Run[] {
  return [...Map.groupBy(earlier, ({ run }) => run).values()].map((prompts) => {
    // A smaller window or a person may have left something out of one of them.
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

/** In how many of its last assemblies, this one included, a part's content changed. */
function changesOf(name: string, hash: string, runs: readonly Run[]): number {
  const contents = [...runs.flatMap((run) => run.get(name)?.hashes ?? []), new Set([hash])].slice(
    -assemblies - 1,
  );
  return contents.filter((now, at) => at > 0 && now.isDisjointFrom(contents[at - 1] ?? new Set())).length;
}

function demote(part: PromptPart): PromptPart {
  const later = { 0: 1, 1: 2, 2: 3, 3: 3 } as const;
  return { ...part, stability: later[part.stability], demoted: true };
}

function classOf({ name, stability }: PromptPart): number {
  return name === 'ticket_details' ? -1 : stability;
}

/** Infinite places are equal, so that a difference can't be taken. */
function compare(one: number, other: number): number {
  return one === other ? 0 : one < other ? -1 : 1;
}
