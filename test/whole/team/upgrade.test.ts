import assert from 'node:assert/strict';
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ModelScript } from '../../../src/demo/script/modelScript.ts';
import type { CliProcess } from '../../support/cliProcess.ts';
import { tempFolders } from '../../support/git/tempRepository.ts';
import { benchForEach } from '../../support/team/benchForEach.ts';
import type { TeamBench } from '../../support/team/teamBench.ts';
import { until } from '../../support/until.ts';

const root = join(import.meta.dirname, '../../..');
/** A coder that says nothing, the first time. */
const silent = ModelScript.parse({
  version: 1,
  name: 'silent',
  tasks: { coding: [{ when: { iteration: 1 }, fault: 'hang' }] },
});

describe('an upgrade of the runners of a team, one after the other', function () {
  this.timeout(600_000);
  const makeFolder = tempFolders();
  let bench: TeamBench;
  benchForEach((opened) => (bench = opened), silent);

  /** The release before, whose handler of coding had another version. */
  async function earlierRelease(): Promise<string> {
    const folder = await makeFolder();
    for (const name of ['src', 'prompts', 'media', 'package.json'])
      await cp(join(root, name), join(folder, name), { recursive: true });
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
    const file = join(folder, 'src/phases/coding/coding.ts');
    const text = await readFile(file, 'utf8');
    const earlier = text.replace(
      /^ {2}version: (\d+),$/m,
      (_line, now: string) => `  version: ${Number(now) - 1},`,
    );
    assert.notEqual(earlier, text);
    await writeFile(file, earlier);
    await mkdir(join(folder, 'dist'));
    return join(folder, 'src/cli/main.ts');
  }
  const idOf = ({ stdout }: CliProcess): string => /Runner ([0-9a-f-]{36}) is ready/.exec(stdout)?.[1] ?? '';
  const hasTicket = (id: string, runners: readonly CliProcess[]): Promise<CliProcess> =>
    until(
      async () => {
        const [claim] = await bench.claims(id);
        return runners.find((runner) => idOf(runner) === claim?.runner);
      },
      'one of these runners has the ticket',
      120_000,
    );

  it('leaves started work with its version, and no ticket without a runner', async () => {
    bench.program = await earlierRelease();
    const old = [await bench.run('old-1'), await bench.run('old-2')];
    bench.program = undefined;
    const started = await bench.start('Greet by name');
    await bench.driveTo(started, 'CODING', 90_000);
    const first = await hasTicket(started, old);
    await until(() => bench.requests.some(({ reply }) => reply === 'hang'), 'the coder is asked');
    bench.forgetScript();

    const new1 = await bench.run('new-1');
    first.child.kill('SIGKILL');
    const second = await hasTicket(
      started,
      [...old, new1].filter((runner) => runner !== first),
    );
    assert.notEqual(second, new1, 'another one of its version carries it on');

    const later = await bench.start('Count the words');
    await bench.driveTo(later, 'WAITING_PLAN_APPROVAL', 60_000);
    assert.ok(new1.stdout.includes(later), 'new work goes to the newest version');

    await bench.printed('fleet', 'drain', idOf(second).slice(0, 8));
    await until(() => second.child.exitCode === 0, 'it ends', 90_000);
    assert.ok(
      !['CODING', 'BLOCKED_ERROR'].includes((await bench.ticket(started)).status),
      'it finished its drive',
    );
    for (const id of [started, later]) await bench.driveTo(id, 'COMPLETED', 120_000);
  });
});
