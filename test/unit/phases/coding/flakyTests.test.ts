import assert from 'node:assert/strict';
import type { Bead } from '../../../../src/domain/beads/bead.ts';
import type { Evidence } from '../../../../src/domain/core/evidence.ts';
import type { ComparedFile } from '../../../../src/engine/ports/ports.ts';
import type { Run, StepIo } from '../../../../src/engine/run/run.ts';
import { newFlakyTests } from '../../../../src/phases/coding/notAcceptable.ts';

const [start, candidate] = ['a'.repeat(40), 'b'.repeat(40)];
const bead = {
  id: 'greet',
  testCommands: ['npm test', 'npm run e2e'],
  beadStartCommit: start,
} as unknown as Bead;

/** A command that failed once and passed then, with the tests that failed. */
const flaky = (command: string, ...flakyTests: readonly string[]): Evidence =>
  ({
    command,
    exitCode: 0,
    flaky: true,
    ...(flakyTests.length === 0 ? {} : { flakyTests }),
  }) as unknown as Evidence;
const steady = (command: string): Evidence => ({ command, exitCode: 0 }) as unknown as Evidence;

const old = "it('greets', () => {});\n";
const added = `${old}it('greets twice', () => {});\n`;

describe('a flaky test', () => {
  let steps: string[];
  beforeEach(() => (steps = []));

  /** What the coder is told, where the work changed this one file. */
  function said(
    evidence: readonly Evidence[],
    {
      path = 'greet.test.ts',
      before = old,
      after = added,
      commit = candidate,
    }: { path?: string; before?: string | null; after?: string; commit?: string | null } = {},
  ): Promise<string> {
    const file: ComparedFile = {
      path,
      oldPath: null,
      change: before === null ? 'added' : 'modified',
      binary: false,
    };
    const git = {
      compare: async (from: string, to: string) => (from === start && to === candidate ? [file] : []),
      blobs: async (at: string, paths: readonly string[]) =>
        paths.map(() => new TextEncoder().encode((at === start ? before : after) ?? '')),
    };
    const run = {
      step: async (
        key: string,
        schema: { parse(value: unknown): unknown },
        work: (io: StepIo) => Promise<unknown>,
      ) => {
        steps.push(key);
        return schema.parse(await work({ ports: { git } } as unknown as StepIo));
      },
    } as unknown as Run;
    return newFlakyTests(run, bead, { commit, evidence });
  }

  const problem = (command: string, which: string) =>
    `\`${command}\` failed once and passed when it ran again on the same files: a test of this work is flaky${which}. It has to pass every time.`;

  it('that the work added is a problem, with its name', async () => {
    const evidence = [flaky('npm test', 'unit > greets twice', 'unit > another'), steady('npm run e2e')];
    assert.equal(await said(evidence), problem('npm test', ' (unit > greets twice)'));
    assert.deepEqual(steps, ['flaky-tests']);
  });

  it('of a new file is one, too', async () => {
    assert.equal(
      await said([flaky('npm test', 'greets')], { before: null, after: old }),
      problem('npm test', ' (greets)'),
    );
  });

  it('that was there before is none', async () => {
    assert.equal(await said([flaky('npm test', 'greets')]), '');
  });

  it('whose name is not known is one if the work added any', async () => {
    assert.equal(await said([flaky('npm test')]), problem('npm test', ''));
    assert.equal(await said([flaky('npm test')], { after: `${old}// no test\n` }), '');
    assert.equal(await said([flaky('npm test')], { path: 'greet.ts' }), '');
  });

  it('is named for each command of the bead, and for no other one', async () => {
    const evidence = [flaky('npm test'), flaky('npm run e2e', 'greets twice'), flaky('npm run lint')];
    assert.equal(
      await said(evidence),
      [problem('npm test', ''), problem('npm run e2e', ' (greets twice)')].join('\n'),
    );
    assert.equal(await said([steady('npm test'), steady('npm run e2e'), flaky('npm run lint')]), '');
  });

  it('is not searched for where nothing is flaky, and where nothing changed', async () => {
    assert.equal(await said([steady('npm test')]), '');
    assert.equal(await said([flaky('npm test')], { commit: null }), '');
    assert.deepEqual(steps, []);
  });
});
