/** One way to break a rule, and the test that must turn red. `find` occurs exactly once in the file. */
export interface Mutant {
  readonly name: string;
  readonly file: string;
  readonly find: string;
  readonly replace: string;
  readonly spec: string;
  /** The test's full title, or a part of it. */
  readonly test: string;
}

export const mutants: readonly Mutant[] = [
  {
    name: 'receipt-write',
    file: 'src/engine/stepEffect.ts',
    find: "journal: [{ kind: 'step.done', run, key, result: value as Json }], changes: io.changes",
    replace: 'journal: [], changes: io.changes',
    spec: 'test/unit/engine/engine.test.ts',
    test: 'does a step once, and answers it from the journal',
  },
  {
    name: 'continue-begins-anew',
    file: 'src/engine/stepEffect.ts',
    find: "known.intentSeq < scope.row.continuedSeq ? 'continue' : 'recover'",
    replace: "'recover'",
    spec: 'test/unit/engine/engine.test.ts',
    test: 'continues an interrupted step in the same run',
  },
  {
    name: 'unasked-keys',
    file: 'src/engine/runScope.ts',
    find: "step.state !== 'intent' && !scope.asked.has(step.key)",
    replace: 'false',
    spec: 'test/unit/engine/engine.test.ts',
    test: 'a key nobody asks for',
  },
  {
    name: 'paused-time-counts',
    file: 'src/engine/activeTimer.ts',
    find: 'if (this.#pauses === 0) ',
    replace: '',
    spec: 'test/unit/engine/engine.test.ts',
    test: 'not while it waits for somebody',
  },
  {
    name: 'crash-loop',
    file: 'src/engine/childRun.ts',
    find: 'if (recent.length + 1 < crashLimit) return;',
    replace: 'return;',
    spec: 'test/unit/engine/childRun.test.ts',
    test: 'blocks at the third crash within ten minutes',
  },
  {
    name: 'edit-unchecked',
    file: 'src/engine/control.ts',
    find: 'if (problem) return refusal(ticket, entry, problem);',
    replace: '',
    spec: 'test/unit/engine/engine.test.ts',
    test: 'not before the edit was checked',
  },
];
