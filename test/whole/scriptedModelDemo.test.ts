import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { evidenceRef } from '../../src/domain/proof/commitEvidence.ts';
import { eventsOf, runCli } from '../support/cliProcess.ts';
import { tempFolder } from '../support/tempFolder.ts';

const demo = join(import.meta.dirname, '../../.build/demo.mjs');
const Summary = z.object({
  ok: z.boolean(),
  ticket: z.string(),
  status: z.string(),
  worktree: z.string(),
  pullRequest: z.string(),
  commits: z.array(z.object({ sha: z.string(), subject: z.string() })),
  evidence: z.array(z.object({ of: z.string(), command: z.string(), exitCode: z.number() })),
  checks: z.array(z.object({ name: z.string(), ok: z.boolean(), detail: z.string() })),
});

function run(
  folder: string,
): Promise<{ readonly stdout: string; readonly stderr: string; readonly code: number }> {
  // A test runner inside of another one reports to that one.
  const env = { ...process.env, NODE_TEST_CONTEXT: undefined };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [demo, '--json', '--dir', folder],
      { env, maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => {
        resolve({
          stdout,
          stderr,
          code: error === null ? 0 : typeof error.code === 'number' ? error.code : 1,
        });
      },
    );
  });
}

describe('the demo', function () {
  this.timeout(480_000);
  this.bail(true);
  const folder = tempFolder('demo');
  const clone = join(folder.path, 'clone');
  const test = 'test/csvExport.test.js';
  let summary: z.infer<typeof Summary>;
  let evidence = '';

  after(() => folder.remove());

  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-C', clone, '-c', 'user.name=A', '-c', 'user.email=a@b.c', ...args], {
      encoding: 'utf8',
      stdio: 'pipe',
    }).trim();
  /** The clone has no database. */
  async function verified(...args: readonly string[]) {
    const { code, stdout } = await runCli(['verify', 'STOCK-1', '--json', '--yes', '--repo', clone, ...args]);
    const result = eventsOf(stdout).find((event) => event.type === 'verification');
    assert.ok(result, stdout);
    assert.equal(code, result.isEqual ? 0 : 1);
    return result;
  }
  const kinds = async (...args: readonly string[]) =>
    (await verified(...args)).differences.map(({ kind }) => kind);
  /** As if the last commit had always been this one; `change`s what it says of its evidence. */
  function forgeNote(change: (proof: Record<string, unknown>) => Record<string, unknown>): void {
    const note = z
      .object({ evidence: z.array(z.record(z.string(), z.unknown())) })
      .loose()
      .parse(JSON.parse(git('notes', '--ref', evidenceRef, 'show', 'ORIG_HEAD')));
    git('notes', '--ref', evidenceRef, 'remove', 'ORIG_HEAD');
    git(
      'notes',
      '--ref',
      evidenceRef,
      'add',
      '--force',
      '--message',
      JSON.stringify({ ...note, evidence: note.evidence.map(change) }),
      'HEAD',
    );
  }
  /** One byte of a test changes; ORIG_HEAD is the replaced commit. */
  function rewriteTest(from: string, to: string): void {
    git('update-ref', 'ORIG_HEAD', 'HEAD');
    const path = join(clone, test);
    const text = readFileSync(path, 'utf8');
    assert.ok(text.includes(from));
    writeFileSync(path, text.replace(from, to));
    git('commit', '--quiet', '--all', '--amend', '--no-edit');
  }
  function asDelivered(): void {
    git('fetch', '--quiet', '--force', 'origin', `+${evidenceRef}:${evidenceRef}`);
    git('reset', '--quiet', '--hard', 'origin/ticket/STOCK-1');
  }

  it('takes the sample ticket from DRAFT to COMPLETED, and every check holds', async () => {
    const { stdout, stderr, code } = await run(folder.path);
    assert.equal(code, 0, `${stderr.slice(-4_000)}\n${stdout}`);
    summary = Summary.parse(JSON.parse(stdout));
    assert.deepEqual([summary.ok, summary.status, summary.ticket], [true, 'COMPLETED', 'STOCK-1']);
    assert.deepEqual(
      summary.commits.map(({ subject }) => subject.replace(/:.*/, '')),
      [
        'bead(report-filters)',
        'bead(csv-encoder)',
        'bead(report-csv)',
        'bead(cli-csv-option)',
        'test(STOCK-1)',
      ],
    );
    assert.ok(summary.checks.length >= 12);
  });

  it('says equal of each commit in a fresh clone, and leaves nothing there', async () => {
    evidence = join(folder.path, 'evidence.json');
    copyFileSync(join(summary.worktree, '.ticket/evidence.json'), evidence);
    const from = summary.worktree.replace(/\.worktrees\/STOCK-1$/, '');
    execFileSync('git', [
      'clone',
      '--quiet',
      '--single-branch',
      '--branch',
      'ticket/STOCK-1',
      `file://${from}`,
      clone,
    ]);
    git('fetch', '--quiet', 'origin', `${evidenceRef}:${evidenceRef}`);
    for (const args of [['--all'], ['--all', '--evidence', evidence]]) {
      const result = await verified(...args);
      assert.deepEqual(result.differences, []);
      assert.equal(result.commits.length, summary.commits.length);
      assert.ok(
        result.commits.every(({ commands }) => commands.length > 0 && commands.every(({ isSame }) => isSame)),
      );
    }
    assert.equal(git('status', '--porcelain'), '');
    assert.equal(existsSync(`${clone}.worktrees`), false);
  });

  it('names the test of which a byte was changed in a new commit', async () => {
    const path = join(clone, test);
    writeFileSync(path, readFileSync(path, 'utf8').replace('assert.deepEqual', 'assert.deepEqua1'));
    git('commit', '--quiet', '--all', '--message', 'Change a byte');
    const { differences } = await verified();
    assert.deepEqual(
      differences.flatMap((one) => (one.kind === 'tree' ? one.paths : [])),
      [test],
    );
    assert.ok(differences.some((one) => one.kind === 'result' && one.command.includes(test)));
    asDelivered();
  });

  it('notices a byte of a test that was changed in the proved commit itself, though every command passes', async () => {
    rewriteTest('assert.deepEqual(', 'assert.deepEqual (');
    git('notes', '--ref', evidenceRef, 'copy', '--force', 'ORIG_HEAD', 'HEAD');
    const { differences } = await verified();
    assert.deepEqual(
      differences.map((one) => (one.kind === 'tree' ? one.paths : one)),
      [[test]],
    );
    asDelivered();
  });

  it('doesn’t believe a note that calls the changed commit the proved one', async () => {
    rewriteTest('assert.deepEqual(', 'assert.deepEqual (');
    forgeNote((proof) => ({ ...proof, commit: git('rev-parse', 'HEAD') }));
    assert.deepEqual(await kinds(), ['forged', 'tree']);
    asDelivered();
  });

  it('runs what a note says that was forged completely, and tells it from the evidence of the author', async () => {
    rewriteTest('assert.deepEqual', 'assert.deepEqua1');
    const forged = { commit: git('rev-parse', 'HEAD'), tree: git('rev-parse', 'HEAD^{tree}') };
    forgeNote(({ signature: _, ...proof }) => ({ ...proof, ...forged }));
    assert.deepEqual([...new Set(await kinds())], ['result']);
    assert.ok((await kinds('--evidence', evidence)).includes('tree'));
    asDelivered();
  });

  it('never calls a commit equal of which nothing was run', async () => {
    git('update-ref', 'ORIG_HEAD', 'HEAD');
    forgeNote(({ signature: _, ...proof }) => ({ ...proof, commands: [] }));
    const { code, stdout } = await runCli(['verify', 'STOCK-1', '--json', '--yes', '--repo', clone]);
    assert.equal(code, 2, stdout);
    assert.match(stdout, /NO_EVIDENCE/);
    asDelivered();
    assert.deepEqual(await kinds(), []);
  });
});
