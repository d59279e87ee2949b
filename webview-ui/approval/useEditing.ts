import { useEffect, useState } from 'preact/hooks';
import type { ShownDocument } from '../../src/protocol/pages/approval.ts';
import { type Draft, type Drafts, problemsOf, type Problem, type Shown, shownOf } from './drafts.ts';

export interface Editing extends Shown {
  readonly problems: readonly Problem[];
  /** True while what was saved is on its way back; until then nothing can be changed. */
  readonly isSettling: boolean;
  readonly change: (value: unknown) => void;
  readonly discard: () => void;
  /** The draft that a save carries. */
  readonly draft: Draft;
  /** The save was carried out: the next state has it. */
  readonly settle: () => void;
  /** Applies the changes to the current version. */
  readonly rebase: () => void;
}

/** Longer than a state takes. A save that changed nothing brings no new one. */
const settlingMs = 2_000;

/**
 * A document with what a person changed of it. Changes are kept until they are saved or discarded, over a
 * reload, too. `onChange`: at each of them.
 */
export function useEditing(
  drafts: Drafts,
  setDrafts: (change: (now: Drafts) => Drafts) => void,
  document: ShownDocument,
  onChange: () => void,
): Editing {
  const { artifact, sha256 } = document;
  const [settled, setSettled] = useState<Draft>();
  const isSettling = settled?.base === sha256;
  const draft = drafts[artifact] ?? (isSettling ? settled : undefined);
  const shown = shownOf(document, draft);
  const drop = (): void => setDrafts(({ [artifact]: _, ...others }) => others);
  // A draft that says what is stored is none.
  const isSpent = drafts[artifact] !== undefined && !shown.isDirty;
  useEffect(() => {
    if (isSpent) drop();
  }, [isSpent]);
  useEffect(() => {
    if (!settled) return undefined;
    const timer = setTimeout(() => setSettled(undefined), settlingMs);
    return () => clearTimeout(timer);
  }, [settled]);
  return {
    ...shown,
    isDirty: shown.isDirty && !isSettling,
    problems: shown.isDirty ? problemsOf(artifact, shown.value) : [],
    isSettling,
    change: (value) => {
      onChange();
      setDrafts((now) => ({ ...now, [artifact]: { base: now[artifact]?.base ?? sha256, value } }));
    },
    discard: drop,
    draft: { base: drafts[artifact]?.base ?? sha256, value: shown.value },
    settle: () => {
      setSettled(draft && { base: sha256, value: draft.value });
      drop();
    },
    rebase: () => setDrafts((now) => ({ ...now, [artifact]: { base: sha256, value: shown.value } })),
  };
}
