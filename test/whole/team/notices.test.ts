import assert from 'node:assert/strict';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServedTeam } from '../../../src/cli/serve/main.ts';
import type { Notice, NoticeLine } from '../../../src/protocol/team/notice.ts';
import { moveTicket } from '../../support/engine/moveTicket.ts';
import { postgresServer } from '../../support/storeContract/postgresServer.ts';
import { repository, ServedBench } from '../../support/team/servedTeam.ts';
import { tempFolder } from '../../support/tempFolder.ts';
import { until } from '../../support/until.ts';

const hostile = '"; touch /tmp/pwned; $(id) `id`\n<b>';
const timing = { pollMs: 50, limitMs: 1_000, pauseMs: 50, most: 3 };

describe('a program that is told what waits', function () {
  this.timeout(120_000);
  const folder = tempFolder('notices');
  const log = join(folder.path, 'told');
  const lines: NoticeLine[] = [];
  let bench: ServedBench;
  let old: string;
  // Before the database stops.
  after(async () => {
    await bench.close();
    folder.remove();
  });
  const postgres = postgresServer();
  before(async () => {
    bench = await ServedBench.open(postgres.url);
    old = await bench.waiting('It waited before anybody was told');
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') console.error(lines, await told().catch(String));
  });

  /** A program in the shell's words. */
  const program = async (name: string, script: string): Promise<string> => {
    const path = join(folder.path, name);
    await writeFile(path, `#!/bin/sh\n${script}\n`);
    await chmod(path, 0o755);
    return path;
  };
  const serve = (path: string, env: NodeJS.ProcessEnv = {}): Promise<ServedTeam> =>
    bench.serve(
      {},
      {},
      {
        notify: { program: path, say: (line) => lines.push(line), timing },
        env: { ...process.env, TOLD: log, ...env },
      },
    );
  const told = async (): Promise<readonly Notice[]> => {
    const text = await readFile(log, 'utf8').catch(() => '');
    // The last one may not be whole yet.
    return text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Notice);
  };
  const of = async (ticket: string): Promise<readonly Notice[]> =>
    (await told()).filter((notice) => notice.ticket === ticket);
  const writes = () =>
    program('writes', 'cat >> "$TOLD"; printf "%s|%s" "$#" "$BEADSMITH_TEAM" > "$TOLD.args"');

  it('is told once by two servers, also when they start again, and of nothing that waited before', async () => {
    const path = await writes();
    const secret = { BEADSMITH_TEAM: postgres.url };
    const servers = [await serve(path, secret), await serve(path, secret)];
    const id = await bench.waiting(hostile);
    const [notice] = await until(async () => {
      const found = await of(id);
      return found.length > 0 && found;
    }, 'the program is told');
    const { since, url, id: key, ...facts } = notice ?? assert.fail();
    assert.deepEqual(facts, {
      kind: 'needsYou',
      repository,
      ticket: id,
      title: hostile,
      status: 'WAITING_PRD_APPROVAL',
      label: 'Approve the PRD',
      error: null,
      until: null,
    });
    assert.ok(Math.abs(since - Date.now()) < 60_000);
    assert.match(key, /^[0-9a-f]{64}$/);
    assert.ok(servers.some((server) => url === `${server.url}/#acme%2Fgreeter/${id}`));
    assert.equal(await readFile(`${log}.args`, 'utf8'), '0|', 'neither arguments nor the login');
    await Promise.all(servers.map((server) => server.close()));

    const again = await serve(path);
    const next = await bench.waiting('Another one');
    await until(async () => (await of(next)).length > 0, 'the program is told of the next one');
    assert.deepEqual([(await of(id)).length, (await of(next)).length, (await of(old)).length], [1, 1, 0]);
    await moveTicket(bench.driver.store, next, 'CANCELED');
    const done = await bench.waiting('It ends');
    await until(async () => (await of(done)).length > 0, 'it waits');
    await moveTicket(bench.driver.store, done, 'COMPLETED');
    await until(async () => (await of(done)).length > 1, 'it ended');
    assert.deepEqual(
      (await of(done)).map(({ kind }) => kind),
      ['needsYou', 'finished'],
    );
    assert.equal((await of(next)).length, 1, 'people who cancel a ticket know it');
    await again.close();
  });

  it('is ended when it hangs, and tried so many times and no more, while others are told', async () => {
    lines.length = 0;
    const path = await program(
      'hangs',
      'read -r line; case "$line" in *Hang*) echo "$$" >> "$TOLD.hangs"; sleep 600;; *Fail*) echo "no way" >&2; exit 3;; *) printf "%s\\n" "$line" >> "$TOLD";; esac',
    );
    const server = await serve(path);
    const hanging = await bench.waiting('Hang');
    const failing = await bench.waiting('Fail');
    const good = await bench.waiting('Good');
    await until(async () => (await of(good)).length > 0, 'the good one is told');
    const outcomes = (ticket: string): readonly string[] =>
      lines.filter((line) => line.ticket === ticket).map(({ outcome }) => outcome);
    for (const ticket of [hanging, failing])
      await until(() => outcomes(ticket).at(-1) === 'given up', `${ticket} is given up`);
    for (const ticket of [hanging, failing])
      assert.deepEqual(outcomes(ticket), ['failed', 'failed', 'given up']);
    const reasons = lines.flatMap(({ ticket, reason }) => (ticket === failing ? [reason] : []));
    assert.match(reasons[0] ?? '', /exit code 3: no way/);
    const hung = (await readFile(`${log}.hangs`, 'utf8')).trim().split('\n').map(Number);
    assert.equal(hung.length, timing.most);
    for (const pid of hung) assert.throws(() => process.kill(pid, 0), /ESRCH/, 'nothing is left of it');
    await server.close();
    const again = await serve(path);
    const last = await bench.waiting('Last');
    await until(async () => (await of(last)).length > 0, 'the next one is told');
    assert.equal(lines.filter(({ ticket }) => ticket === failing).length, timing.most);
    await again.close();
  });

  it('needs the role of a runner', async () => {
    await bench.query(`CREATE ROLE ada LOGIN PASSWORD 'x' IN ROLE beadsmith_person`);
    const url = new URL(postgres.url);
    url.username = 'ada';
    url.password = 'x';
    const notify = { program: await writes(), say: () => undefined };
    await assert.rejects(
      bench.serve({}, {}, { url: url.href, notify }),
      /permission denied for table notices/,
    );
    const [may] = await bench.query(
      `SELECT has_table_privilege('ada', 'beadsmith.notices', 'SELECT') AS may`,
    );
    assert.deepEqual(may, { may: false });
    // Without a program, that login serves.
    await (await bench.serve({}, {}, { url: url.href })).close();
  });
});
