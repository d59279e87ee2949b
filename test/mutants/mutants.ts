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
    file: 'src/engine/run/stepEffect.ts',
    find: "later([{ kind: 'step.done', run, key, result: value as Json }], [...io.changes",
    replace: 'later([], [...io.changes',
    spec: 'test/unit/engine/drive/engine.test.ts',
    test: 'does a step once, and answers it from the journal',
  },
  {
    name: 'continue-begins-anew',
    file: 'src/engine/run/stepEffect.ts',
    find: "known.intentSeq < scope.row.continuedSeq ? 'continue' : 'recover'",
    replace: "'recover'",
    spec: 'test/unit/engine/drive/engine.test.ts',
    test: 'continues an interrupted step in the same run',
  },
  {
    name: 'unasked-keys',
    file: 'src/engine/run/runScope.ts',
    find: "step.state !== 'intent' && !scope.asked.has(step.key)",
    replace: 'false',
    spec: 'test/unit/engine/drive/engine.test.ts',
    test: 'a key nobody asks for',
  },
  {
    name: 'paused-time-counts',
    file: 'src/engine/run/activeTimer.ts',
    find: 'if (this.#pauses === 0) ',
    replace: '',
    spec: 'test/unit/engine/drive/engine.test.ts',
    test: 'not while it waits for a person',
  },
  {
    name: 'limits-by-a-stale-look',
    file: 'src/phases/receiptBuilders.ts',
    find: 'limitsHash(before) !== body.baseSha256',
    replace: 'false',
    spec: 'test/unit/engine/drive/changeLimits.test.ts',
    test: 'also when both lie there together',
  },
  {
    name: 'limits-interrupt',
    file: 'src/domain/workflow/actions.ts',
    find: 'limits: receipt',
    replace: 'limits: { ...receipt, interrupts: true }',
    spec: 'test/unit/engine/drive/changeLimits.test.ts',
    test: 'interrupt nobody',
  },
  {
    name: 'crash-loop',
    file: 'src/engine/run/childRun.ts',
    find: 'if (recent.length + 1 < crashLimit) return;',
    replace: 'return;',
    spec: 'test/unit/engine/run/childRun.test.ts',
    test: 'blocks at the third crash within ten minutes',
  },
  {
    name: 'edit-unchecked',
    file: 'src/engine/drive/control.ts',
    find: 'if (problem) return refusal(ticket, entry, problem);',
    replace: '',
    spec: 'test/unit/engine/drive/engine.test.ts',
    test: 'not before the edit was checked',
  },
  {
    name: 'done-without-evidence',
    file: 'src/phases/coding/checkStage.ts',
    find: 'if (failures.length > 0) return verdict',
    replace: 'if (failures.length > 999) return verdict',
    spec: 'test/integration/execution/coding.test.ts',
    test: "takes nothing as done on the model's word",
  },
  {
    name: 'reset-without-ref',
    file: 'src/phases/coding/resetBead.ts',
    find: 'if (!kept) await git.keep(',
    replace: 'if (!kept) void (',
    spec: 'test/integration/execution/coding.test.ts',
    test: "takes nothing as done on the model's word",
  },
  {
    name: 'second-commit',
    file: 'src/phases/shared/commit.ts',
    find: 'let mine = await git.findCommit(worktree, start, trailers);',
    replace: 'let mine: string | undefined;',
    spec: 'test/integration/execution/coding.test.ts',
    test: 'commits once, however often it is killed around the commit',
  },
  {
    name: 'stale-checkpoint',
    file: 'src/phases/coding/recoverBeads.ts',
    find: 'checkpoint.updatedAt === bead.updatedAt &&',
    replace: '',
    spec: 'test/integration/execution/recoverBeads.test.ts',
    test: 'keeps and resets it when any of the five fields differs',
  },
  {
    name: 'stale-approval',
    file: 'src/phases/shared/gate/approvalGate.ts',
    find: 'if (present.sha256 !== sha256)',
    replace: 'if (present.sha256 === "")',
    spec: 'test/unit/phases/setup/setupGate.test.ts',
    test: 'is approved only in the version that was seen',
  },
  {
    name: 'changed-plan',
    file: 'src/phases/setup/preflight.ts',
    find: 'if (receipt.content_sha256 !== planHash(beads))',
    replace: 'if (!receipt)',
    spec: 'test/integration/execution/preflight.test.ts',
    test: 'refuses a plan that changed after its approval',
  },
  {
    name: 'journal-unverified',
    file: 'src/engine/drive/engine.ts',
    find: "if (!verdict.ok) throw new BeadsmithError('JOURNAL_BROKEN', { ticket, seq: verdict.seq });",
    replace: '',
    spec: 'test/unit/engine/drive/engine.test.ts',
    test: 'does not drive on a journal that was changed behind its back',
  },
  {
    name: 'allowlist-row',
    file: 'src/context/allowlists.ts',
    find: "coding: ['bead_data', 'bead_notes'],",
    replace: "coding: ['bead_data', 'bead_notes', 'prd'],",
    spec: 'test/unit/context/tables.test.ts',
    test: 'are the allowlists, verbatim',
  },
  {
    name: 'epoch-unchecked',
    file: 'src/adapters/store/sqliteStore.ts',
    find: "if (stored !== this.#epoch) throw new BeadsmithError('EPOCH_LOST');",
    replace: '',
    spec: 'test/unit/adapters/store/sqliteStore.test.ts',
    test: 'stops a previous driver at its next write',
  },
  {
    name: 'reset-anywhere',
    file: 'src/adapters/git/worktreePlaces.ts',
    find: "if (dirname(gitDir) !== join(this.#commonDir, 'worktrees')) throw new BeadsmithError('OUTSIDE_WORKTREE', { path });",
    replace: '',
    spec: 'test/integration/git/reset.test.ts',
    test: "does not follow a worktree's link that was bent",
  },
];
