import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { providerConfig } from '../../../src/demo/providerConfig.ts';
import { startScriptedServer, type ScriptedServer } from '../../../src/demo/scriptedServer.ts';
import type { CliEvent } from '../../../src/protocol/cliEvents.ts';
import { CliProcess, eventsOf } from '../../support/cliProcess.ts';
import { tempFolders, tempRepositories } from '../../support/git/tempRepository.ts';

/** The ledger against what the scripted model counted. */
describe('the usage of a ticket on the command line', function () {
  this.timeout(600_000);
  const makeRepository = tempRepositories();
  const makeFolder = tempFolders();
  let model: ScriptedServer;
  let running: CliProcess | undefined;

  before(async () => (model = await startScriptedServer()));
  after(async () => {
    running?.child.kill('SIGTERM');
    await running?.ended;
    await model.close();
  });

  it('AT-14: is what the model counted, to the token, whatever it is added up by', async () => {
    const repository = await makeRepository({
      files: { 'package.json': '{ "name": "sample", "type": "module" }\n' },
      name: 'sample',
    });
    const folder = await makeFolder();
    const config = join(folder, 'opencode.json');
    await writeFile(config, JSON.stringify(providerConfig(model.url)));
    const opencode = process.env['BEADSMITH_OPENCODE'];
    const place = ['--repo', repository.root, '--json'];
    const driving = [
      '--opencode-config',
      config,
      ...(opencode === undefined ? [] : ['--opencode', opencode]),
    ];
    const cli = async (...words: readonly string[]): Promise<readonly CliEvent[]> => {
      running = new CliProcess([...words, ...place], { env: { XDG_CONFIG_HOME: folder } });
      const { code, stdout } = await running.ended;
      assert.equal(code, 0, `${words.join(' ')}\n${stdout}\n${running.stderr}`);
      return eventsOf(stdout);
    };
    const usage = async (...words: readonly string[]): Promise<Extract<CliEvent, { type: 'usage' }>> => {
      const event = (await cli('usage', ...words)).find(({ type }) => type === 'usage');
      assert.ok(event?.type === 'usage');
      return event;
    };

    await cli(
      'run',
      '--title',
      'Count stock',
      '--depth',
      'quick',
      '--model',
      'scripted/alpha',
      '--approve',
      'all',
      ...driving,
    );
    const { total } = await usage('SAMPL-1');
    const counted = (pick: (tokens: { prompt: number; completion: number }) => number): number =>
      model.requests.reduce((sum, { tokens }) => sum + pick(tokens), 0);
    assert.ok(counted(({ prompt }) => prompt) > 1_000);
    assert.deepEqual(
      {
        prompt: total.input + total.cacheRead + total.cacheWrite,
        completion: total.output + total.reasoning,
      },
      { prompt: counted(({ prompt }) => prompt), completion: counted(({ completion }) => completion) },
    );
    assert.deepEqual([total.money, total.counted], [null, 0]);

    for (const by of ['phase', 'bead', 'iteration', 'model', 'day', 'call', 'ticket']) {
      const { rows, total: same } = await usage('SAMPL-1', '--by', by);
      assert.deepEqual(same, total, by);
      assert.equal(
        rows.reduce((sum, { tokens }) => sum + tokens, 0),
        total.tokens,
        by,
      );
      if (by !== 'bead' && by !== 'iteration') assert.ok(!rows.some(({ key }) => key === null), by);
      else assert.ok(rows.some(({ key }) => key !== null));
    }
    assert.deepEqual(await usage(), {
      type: 'usage',
      ticket: null,
      by: 'ticket',
      rows: [{ key: 'SAMPL-1', ...total }],
      total,
    });
  });
});
