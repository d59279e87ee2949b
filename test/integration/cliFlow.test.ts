import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { Bead } from '../../src/domain/beads/bead.ts';
import { type CliResult, eventsOf } from '../support/cliProcess.ts';
import { type CliTicket, cliTickets } from '../support/cliTicket.ts';

const files = {
  'package.json': JSON.stringify({ name: 'sample', type: 'module', scripts: { test: 'node --test' } }),
  'src/one.js': 'export const one = 1;\n',
};
const End = z.looseObject({
  type: z.literal('end'),
  exit: z.number(),
  ticket: z.string().nullable(),
  status: z.string().nullable(),
});
const Whole = z.object({
  journal: z.object({ ok: z.boolean() }),
  commits: z.array(z.object({ bead: z.string(), commit: z.string() })),
  evidence: z.array(z.object({ of: z.string(), command: z.string(), exitCode: z.number() })),
  pullRequest: z.object({ location: z.string() }),
  worktree: z.string(),
});

/** Only the model is scripted. */
describe('the command line', function () {
  this.timeout(600_000);
  const makeTicket = cliTickets();
  let place: CliTicket;

  beforeEach(async () => {
    place = await makeTicket({ files });
  });

  /** It is replaced only when that is asked for. */
  async function exports(bead: string): Promise<void> {
    const folder = join(place.repository.root, '..', 'exported');
    const words = ['export', 'SAMPL-1', '--to', folder];
    assert.equal((await look(...words)).code, 0);
    assert.match(await readFile(join(folder, 'diffs', `${bead}.diff`), 'utf8'), /diff --git/);
    assert.match(
      await readFile(join(folder, 'evidence', 'execution', `${bead}.json`), 'utf8'),
      /"exitCode":\s*0/,
    );
    assert.match(await readFile(join(folder, 'versions', 'prd.v1.yaml'), 'utf8'), /risks:/);
    const journal = (await readFile(join(folder, 'journal.ndjson'), 'utf8')).trim().split('\n');
    assert.deepEqual(
      journal.map((line) => z.object({ seq: z.number() }).parse(JSON.parse(line)).seq),
      journal.map((_line, at) => at + 1),
    );
    assert.deepEqual(
      (await readdir(join(folder, '..'))).filter((name) => name.includes('exported')),
      ['exported'],
    );
  }

  const look = (...words: string[]): Promise<CliResult> => place.cli(...words);

  /** Answers the last line. */
  async function to(exit: number, status: string | null, ...words: string[]): Promise<z.infer<typeof End>> {
    const result = await place.cli(...words, ...place.driving);
    const end = End.parse(eventsOf(result.stdout).at(-1));
    assert.deepEqual(
      [result.code, end.exit, end.status],
      [exit, exit, status],
      `${words.join(' ')}\n${result.stdout}\n${result.stderr}`,
    );
    return end;
  }

  const solo = ['--model', 'scripted/alpha', '--depth', 'solo'];

  it('takes a ticket from gate to gate, and guards every gate', async () => {
    const { repository } = place;
    const before = await repository.fingerprint();
    await to(
      3,
      'WAITING_INTERVIEW_ANSWERS',
      'run',
      '--key',
      'k',
      '--title',
      'Add a greeting',
      ...solo,
      '--approve',
      'none',
    );
    await to(3, 'WAITING_INTERVIEW_ANSWERS', 'run', '--key', 'k', '--title', 'Add a greeting', ...solo);
    await to(3, 'WAITING_INTERVIEW_APPROVAL', 'skip', 'SAMPL-1', '--reason', 'No time');

    const stale = await place.cli('approve', 'SAMPL-1', '--sha256', '0'.repeat(64), ...place.driving);
    assert.equal(stale.code, 2, stale.stdout);
    assert.match(stale.stdout, /STALE_APPROVAL/);
    await to(3, 'WAITING_PRD_APPROVAL', 'approve', 'SAMPL-1');

    const prd = eventsOf((await look('show', 'SAMPL-1', 'prd')).stdout).find(
      (event) => event.type === 'document',
    );
    assert.ok(prd);
    const file = join(repository.root, '..', 'prd.yaml');
    await writeFile(
      file,
      prd.content.replace(/^risks:.*$/m, 'risks:\n  - Nobody greets back').replace(/\n {2}\[\]/, ''),
    );
    await to(3, 'WAITING_PRD_APPROVAL', 'edit', 'SAMPL-1', 'prd', '--file', file);
    const edited = eventsOf((await look('show', 'SAMPL-1', 'prd')).stdout).find(
      (event) => event.type === 'document',
    );
    assert.match(edited?.content ?? '', /Nobody greets back/);
    await to(3, 'WAITING_BEADS_APPROVAL', 'approve', 'SAMPL-1');

    const plan = eventsOf((await look('beads', 'get', 'SAMPL-1', '--flow', 'main')).stdout).find(
      (event) => event.type === 'document',
    );
    assert.ok(plan);
    const beads = plan.content
      .trim()
      .split('\n')
      .map((line) => Bead.parse(JSON.parse(line)));
    const lines = beads
      .map((bead) => JSON.stringify({ ...bead, title: `${bead.title}, politely` }))
      .join('\n');
    await writeFile(file, lines);
    await to(3, 'WAITING_BEADS_APPROVAL', 'beads', 'put', 'SAMPL-1', '--file', file);
    const clash = await place.cli(
      'beads',
      'put',
      'SAMPL-1',
      '--file',
      file,
      '--base',
      plan.sha256 ?? '',
      ...place.driving,
    );
    assert.equal(clash.code, 2, clash.stdout);
    assert.match(clash.stdout, /EDIT_CONFLICT/);

    await to(3, 'WAITING_EXECUTION_SETUP_APPROVAL', 'approve', 'SAMPL-1');
    await to(0, 'WAITING_EXECUTION_SETUP_APPROVAL', 'approve', 'SAMPL-1', '--no-wait');
    const review = await to(3, 'WAITING_PR_REVIEW', 'run', 'SAMPL-1');
    const { worktree } = z.object({ worktree: z.string() }).parse(review);
    for (const path of [
      'interview.yaml',
      'prd.yaml',
      'meta/ticket.meta.json',
      'runtime/state.yaml',
      'runtime/execution-log.jsonl',
    ])
      assert.ok(existsSync(join(worktree, '.ticket', path)), path);
    const projected = await readFile(join(worktree, '.ticket/beads/main/.beads/issues.jsonl'), 'utf8');
    assert.match(projected, /politely.*"status":"done"/);

    const bead = beads[0]?.id ?? '';
    assert.match((await look('beads', 'diff', 'SAMPL-1', bead)).stdout, /diff --git/);
    const end = Whole.parse(await to(0, 'COMPLETED', 'close', 'SAMPL-1', '--reason', 'Just a try'));
    assert.equal(end.journal.ok, true);
    assert.equal(end.commits.length, beads.length);
    assert.ok(end.evidence.some(({ of, exitCode }) => of === `bead ${bead}` && exitCode === 0));
    assert.match(await readFile(end.pullRequest.location, 'utf8'), /SAMPL-1/);
    await exports(bead);
    assert.equal(await repository.fingerprint(), before, 'the own checkout is as it was');
    const logged = eventsOf((await look('logs', 'SAMPL-1')).stdout).flatMap((event) =>
      event.type === 'log' ? [event.text] : [],
    );
    assert.ok(logged.some((text) => text.includes('DRAFT → SCANNING_RELEVANT_FILES')));
  });
});
