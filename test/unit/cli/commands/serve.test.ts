import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServeOptions } from '../../../../src/cli/serve/main.ts';
import { CommandBench } from '../../../support/commandBench.ts';
import { tempFolder } from '../../../support/tempFolder.ts';
import { until } from '../../../support/until.ts';

const team = ['--team', 'postgres://team'];

describe('serve', () => {
  const folder = tempFolder('serve');
  const [cert, key] = [join(folder.path, 'team.pem'), join(folder.path, 'team.key')];
  before(() => {
    for (const file of [cert, key]) writeFileSync(file, '-----BEGIN SOMETHING-----\n');
  });
  after(() => folder.remove());
  let served: ServeOptions[];
  let closed: number;
  let bench: CommandBench;
  beforeEach(() => {
    [served, closed] = [[], 0];
    bench = new CommandBench(
      {},
      {
        serveTeam: async (options) => {
          served.push(options);
          return {
            url: 'http://127.0.0.1:4180',
            close: async () => {
              closed++;
            },
          };
        },
      },
    );
  });
  /** Until it is stopped. */
  const run = async (...words: readonly string[]) => {
    const running = bench.run('serve', ...team, ...words);
    await until(() => served.length > 0, 'it serves');
    served[0]?.audit({
      action: 'approve',
      outcome: 'done',
      from: '::1',
      person: 'Ada',
      device: 'a'.repeat(32),
      ticket: 'TST-1',
    });
    bench.stop.abort();
    return running;
  };

  it('serves this machine alone, prints a line for each decision, and ends with Ctrl+C', async () => {
    const { exit, out } = await run();
    assert.deepEqual([exit, closed], [0, 1]);
    assert.deepEqual(served[0]?.address, { listen: { host: '127.0.0.1', port: 4180 } });
    assert.match(out, /tickets are at http:\/\/127\.0\.0\.1:4180/);
    assert.match(out, /Ada {2}a{12} {2}approve {2}TST-1 {2}done/);
  });

  it('has a program told, and prints a line for each notice', async () => {
    const program = join(folder.path, 'tell');
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
    const running = bench.run('serve', ...team, '--notify', program);
    await until(() => served.length > 0, 'it serves');
    const about = { repository: 'acme/api', ticket: 'API-1', kind: 'needsYou', tries: 2 } as const;
    served[0]?.notify?.say({ outcome: 'failed', reason: 'it ended with exit code 1', ...about });
    bench.stop.abort();
    assert.match((await running).out, /API-1 {2}needsYou {2}failed \(try 2\): it ended with exit code 1\n/);
    assert.equal(served[0]?.notify?.program, program);
    assert.equal((await bench.run('serve', ...team, '--notify', cert)).exit, 2);
  });

  it('serves others over HTTPS', async () => {
    await run('--host', '0.0.0.0', '--cert', cert, '--key', key);
    assert.ok(served[0]?.address.tls);
  });

  it('trusts a proxy’s header on this machine', async () => {
    await run('--behind-proxy', 'https://team.example.com/', '--trust-header', 'X-Person', '--port', '0');
    assert.deepEqual(served[0]?.address, {
      listen: { host: '127.0.0.1', port: 0 },
      proxy: 'https://team.example.com',
      trustHeader: 'X-Person',
    });
  });

  const wrong: Readonly<Record<string, readonly string[]>> = {
    'others without HTTPS': ['--host', '0.0.0.0'],
    'a certificate without its key': ['--cert', cert],
    'a proxy without HTTPS': ['--behind-proxy', 'http://team.example.com'],
    'a proxy with a path': ['--behind-proxy', 'https://team.example.com/x'],
    'a certificate and a proxy': ['--cert', cert, '--key', key, '--behind-proxy', 'https://team.example.com'],
    'a header that anybody could send': ['--trust-header', 'X-Person'],
    'a header from another machine': [
      '--behind-proxy',
      'https://a.example',
      '--trust-header',
      'X-Person',
      '--host',
      '0.0.0.0',
    ],
    'a header that is none': ['--behind-proxy', 'https://a.example', '--trust-header', 'X Person'],
    'a port that is none': ['--port', '70000'],
  };
  for (const [name, words] of Object.entries(wrong))
    it(`refuses ${name}`, async () => {
      const { exit } = await bench.run('serve', ...team, ...words);
      assert.deepEqual([exit, served.length], [2, 0]);
    });
});
