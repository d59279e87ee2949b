import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { codingReport, runCommand } from '../../../src/demo/generic/execution.ts';
import { noteFiles, noteModule, noteTest } from '../../../src/demo/generic/noteFiles.ts';
import { ModelScript, writeCall } from '../../../src/demo/script/modelScript.ts';
import { repositoryAt } from '../../support/git/tempRepository.ts';
import { canTrySandbox } from '../../support/sandbox.ts';
import { postgresServer } from '../../support/storeContract/postgresServer.ts';
import { prying } from '../../support/team/prying.ts';
import { TeamBench } from '../../support/team/teamBench.ts';

const canTry = await canTrySandbox();
const bead = { id: 'note-greet-by-name-1', title: 'Greet by name', iteration: 1 };

(canTry ? describe : describe.skip)('a hostile repository on a shared runner', function () {
  this.timeout(400_000);
  const server = postgresServer();
  let bench: TeamBench;
  beforeEach(async () => (bench = await TeamBench.open(server.url)));
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') console.error(bench.said());
    await bench.close();
  });

  it('reaches nothing of other tickets, of the runner or of the team, and changes nothing of them', async () => {
    bench.env = {
      BEADSMITH_SANDBOX: 'require',
      BEADSMITH_TEAM: server.url,
      ACME_TOKEN: 'mark-of-the-environment',
    };
    const runner = await bench.run('one');
    const other = await bench.start('Count the words');
    await bench.driveTo(other, 'WAITING_PLAN_APPROVAL');
    const { worktree } = await bench.ticket(other);
    assert.ok(worktree !== null);
    const marks = {
      'the work of another ticket': 'mark-of-the-work',
      'a device key': 'mark-of-the-key',
      'another clone': 'mark-of-the-clone',
      'the environment of the runner': 'mark-of-the-environment',
      'the password of the database': decodeURIComponent(new URL(server.url).password),
    };
    const folder = bench.folderOf('one');
    for (const [path, mark] of [
      [join(worktree, 'draft.txt'), marks['the work of another ticket']],
      [join(folder, 'beadsmith', 'team', 'device.json'), marks['a device key']],
      [join(folder, 'other-0123456789ab', '.git', 'config'), marks['another clone']],
    ] as const) {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, mark);
    }
    const { port } = new URL(server.url);
    const places = [folder, worktree, dirname(bench.remote)];
    const program = prying({ marks, port: Number(port), ticket: other, places });

    const files = noteFiles(bead.id);
    const calls = [
      writeCall('beadsmith-notes/prying.mjs', program),
      runCommand('node beadsmith-notes/prying.mjs'),
      writeCall(files.module, noteModule(bead.id, bead.title)),
      writeCall(files.test, `import './prying.mjs';\n${noteTest(bead.id, bead.title)}`),
      runCommand(`node --test ${files.test}`),
    ];
    const all = ['beadsmith-notes/prying.mjs', ...Object.values(files)];
    const coding = [
      { when: { bead: bead.id }, calls, text: codingReport({ ...bead, testCommands: [] }, all) },
    ];
    bench.follow(ModelScript.parse({ version: 1, name: 'hostile', tasks: { coding } }));

    const refs = (): Promise<string> =>
      repositoryAt(bench.remote).git('for-each-ref', `refs/beadsmith/${other}`);
    const before = await refs();
    const id = await bench.start('Greet by name');
    await bench.driveTo(id, 'WAITING_PR_REVIEW');

    const { events } = await bench.tickets.client.history.transcript(id, { limit: 1_000 });
    const outputs = events.flatMap((event) =>
      event.type === 'activity' && event.call?.output?.includes('LOOKED EVERYWHERE') ? [event] : [],
    );
    assert.ok(
      outputs.some(({ kind }) => kind === 'tool'),
      'an agent ran it',
    );
    assert.ok(
      outputs.some(({ kind }) => kind === 'command'),
      'the engine ran it',
    );
    const reached = outputs.flatMap(({ kind, call }) =>
      (call?.output ?? '')
        .split('\n')
        .flatMap((line) => (/READ|CHANGED|REACHED/.test(line) ? [`${kind}: ${line}`] : [])),
    );
    assert.deepEqual([...new Set(reached)], []);
    assert.equal(await refs(), before);
    assert.equal(runner.child.exitCode, null);

    // Without a sandbox it finds them.
    const mine = (await bench.ticket(id)).worktree ?? '';
    const env = { ...process.env, ACME_TOKEN: marks['the environment of the runner'], PRYING: 'places' };
    const { stdout } = await promisify(execFile)(process.execPath, [join(mine, all[0] ?? '')], {
      cwd: mine,
      env,
    });
    for (const name of Object.keys(marks)) assert.match(stdout, new RegExp(`READ ${name}`));
    assert.match(
      stdout,
      /CHANGED a ref of another ticket[^]*CHANGED files of another ticket[^]*REACHED the database/,
    );
  });
});
