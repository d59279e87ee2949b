import { type Bead, isSettled } from './bead.ts';

/** The outcome of a plan, counting replacements instead of `replaced` beads. */
export interface Outcome {
  readonly success: boolean;
  readonly done: number;
  readonly total: number;
  readonly missing: readonly {
    readonly bead: string;
    readonly title: string;
    readonly state: 'failed' | 'skipped' | 'open';
    readonly reason: string;
  }[];
}

/**
 * The outcome of a plan (docs/decisions/138-failure-analysis.md). Failed or skipped beads and an empty plan
 * are no success.
 */
export function outcomeOf(beads: readonly Pick<Bead, 'id' | 'title' | 'status' | 'skipped'>[]): Outcome {
  const counted = beads.filter((bead) => !isReplaced(bead, beads));
  const missing = counted.flatMap(({ id, title, status, skipped }) => {
    if (status === 'done') return [];
    const state = status === 'error' ? 'failed' : status === 'skipped' ? 'skipped' : 'open';
    return [{ bead: id, title, state, reason: skipped?.reason ?? '' } as const];
  });
  return {
    success: counted.length > 0 && missing.length === 0,
    done: counted.length - missing.length,
    total: counted.length,
    missing,
  };
}

/** The missing beads on one line; empty without any. */
export function missingText({ missing }: Outcome): string {
  return missing.map(({ bead, state }) => `${bead} (${state === 'open' ? 'not done' : state})`).join(', ');
}

/** The open beads that wait for a bead, also indirectly, in plan order. */
export function dependentsOf(beads: readonly Bead[], id: string): readonly Bead[] {
  const waiting = new Set([id]);
  const open = beads.filter((bead) => !isSettled(bead));
  for (let size = 0; size < waiting.size;) {
    size = waiting.size;
    for (const bead of open)
      if (bead.dependencies.blocked_by.some((other) => waiting.has(other))) waiting.add(bead.id);
  }
  return open.filter((bead) => bead.id !== id && waiting.has(bead.id));
}

function isReplaced(
  { status, skipped }: Pick<Bead, 'status' | 'skipped'>,
  beads: readonly Pick<Bead, 'id'>[],
): boolean {
  const places = skipped?.replacedBy ?? [];
  return (
    status === 'skipped' && places.length > 0 && places.every((id) => beads.some((bead) => bead.id === id))
  );
}
