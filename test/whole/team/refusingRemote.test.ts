import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { chmod, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { gitBackend } from '../../support/forge/gitBackend.ts';
import { repositoryAt } from '../../support/git/tempRepository.ts';
import { benchForEach } from '../../support/team/benchForEach.ts';
import type { TeamBench } from '../../support/team/teamBench.ts';
import { until } from '../../support/until.ts';

/** Takes the ticket's branch when it is made, and no commit on it. */
const refusingHook = `#!/bin/sh
while read old new ref; do
  case "$ref$old" in
    *[!0]*/worktree/branch*[1-9a-f]*) echo "not on Sundays" >&2; exit 1 ;;
  esac
done
`;

describe('a remote that refuses the commits of a runner', function () {
  this.timeout(400_000);
  let bench: TeamBench;
  benchForEach((opened) => (bench = opened));

  const blocked = async (id: string): Promise<string> => {
    await bench.driveTo(id, 'BLOCKED_ERROR');
    await until(async () => (await bench.claims(id))[0]?.runner === '', 'nobody has the ticket');
    const { code, message } = (await bench.tickets.client.ticket(id)).error ?? {};
    assert.equal(code, 'PUSH_REFUSED');
    return message ?? '';
  };
  const retry = async (id: string): Promise<void> => {
    await bench.tickets.client.act(id, 'retry', { note: '' });
    await until(async () => (await bench.ticket(id)).status !== 'BLOCKED_ERROR', 'it is retried');
  };
  const coded = (): number =>
    bench.requests.filter(({ task, step }) => task === 'coding' && step === 0).length;

  it('blocks the ticket with its words, and the ticket continues once a person retries it', async () => {
    const hook = join(bench.remote, 'hooks', 'pre-receive');
    await writeFile(hook, refusingHook);
    await chmod(hook, 0o755);
    await bench.run('one');
    const id = await bench.start('Greet by name');
    assert.match(await blocked(id), /not on Sundays/);
    const branch = `refs/beadsmith/${id}/worktree/branch`;
    const origin = repositoryAt(bench.remote);
    assert.equal(await origin.git('rev-parse', branch), await origin.git('rev-parse', 'main'));
    assert.equal(coded(), 1);
    await rm(hook);
    await retry(id);
    await bench.driveTo(id, 'COMPLETED');
    assert.equal(coded(), 1, 'what the model said was kept');
    assert.match(await origin.git('ls-tree', '-r', '--name-only', branch), /greet-by-name-1\.mjs/);
  });

  it('is no different where the login of the runner may only read', async () => {
    let mayWrite = false;
    const remote = createServer((request, response) => {
      const { pathname, search } = new URL(request.url ?? '', 'http://localhost');
      if (!mayWrite && `${pathname}${search}`.includes('git-receive-pack')) {
        response.writeHead(403).end('Write access to repository not granted.');
        return;
      }
      gitBackend(request, response, {
        root: dirname(bench.remote),
        path: pathname,
        query: search.slice(1),
        user: 'runner',
      });
    });
    await new Promise<void>((resolve) => remote.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = remote.address() as AddressInfo;
      const { name } = bench.tickets.client.repository;
      const address = `http://127.0.0.1:${port}/origin.git`;
      await bench.query(`UPDATE beadsmith.repositories SET url = '${address}' WHERE name = '${name}'`);
      await bench.run('one');
      const id = await bench.start('Greet by name');
      assert.match(await blocked(id), /403/);
      mayWrite = true;
      await retry(id);
      await bench.driveTo(id, 'CODING');
    } finally {
      remote.close();
      remote.closeAllConnections();
    }
  });
});
