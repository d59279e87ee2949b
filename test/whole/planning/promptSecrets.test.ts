import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { providerConfig } from '../../../src/demo/providerConfig.ts';
import { type ScriptedServer, startScriptedServer } from '../../../src/demo/scriptedServer.ts';
import { writeSampleRepository } from '../../../src/demo/writeSampleRepository.ts';
import { CliProcess, eventsOf } from '../../support/cliProcess.ts';
import { tempFolder } from '../../support/tempFolder.ts';

/** Put together so that no scanner finds it here. */
const token = ['ghp', 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('_');

/** Only the model is scripted. */
describe('a token that a person pasted into a ticket', function () {
  this.timeout(480_000);
  const folder = tempFolder('prompt-secrets');
  const repository = join(folder.path, 'stockroom');
  const config = join(folder.path, 'opencode.json');
  const bodies: string[] = [];
  let model: ScriptedServer;

  before(async () => {
    model = await startScriptedServer({ onRequest: (_request, body) => bodies.push(body) });
    await writeSampleRepository(repository);
    await writeFile(config, JSON.stringify(providerConfig(model.url)));
  });
  after(async () => {
    await model.close();
    folder.remove();
  });

  const beadsmith = async (...words: string[]) => {
    const opencode = process.env['BEADSMITH_OPENCODE'];
    const own = [
      '--repo',
      repository,
      '--opencode-config',
      config,
      ...(opencode === undefined ? [] : ['--opencode', opencode]),
      '--json',
    ];
    return new CliProcess([...words, ...own], { env: { XDG_CONFIG_HOME: folder.path } }).ended;
  };

  it('AT-13: stops the ticket for a person before anything is sent', async () => {
    const text = `Print the stock as JSON. The staging server takes ${token}.`;
    const start = [
      '--title',
      'Count stock',
      '--description',
      text,
      '--depth',
      'solo',
      '--model',
      'scripted/alpha',
    ];
    const { code, stdout } = await beadsmith('run', ...start, '--approve', 'interview-answers');
    assert.equal(code, 3, stdout);
    assert.match(stdout, /ticket details, line \d+: github GITHUB_TOKEN: .*takes \[redacted: github\]/);
    assert.match(stdout, /reply STOCK-1 'Leave out'/);
    assert.deepEqual(bodies, []);
  });

  it('reaches no model, log, pull request or export where every gate is decided in advance', async () => {
    const { code, stdout, stderr } = await beadsmith('run', 'STOCK-1', '--approve', 'all', '--end', 'close');
    const end = eventsOf(stdout).at(-1);
    assert.deepEqual(
      [code, end?.type === 'end' ? end.status : null],
      [0, 'COMPLETED'],
      `${stdout}\n${stderr}`,
    );
    assert.ok(bodies.length > 5);
    assert.ok(bodies.some((body) => body.includes('[redacted: github]')));
    assert.ok(!bodies.join('\n').includes(token));
    assert.match(stdout, /Left out of the prompt/);
    const target = join(folder.path, 'export');
    await new CliProcess(['export', 'STOCK-1', '--to', target, '--repo', repository, '--json']).ended;
    const files = (await readdir(target, { recursive: true, withFileTypes: true })).filter((entry) =>
      entry.isFile(),
    );
    assert.ok(files.length > 10);
    for (const { parentPath, name } of files)
      assert.ok(!(await readFile(join(parentPath, name), 'utf8')).includes(token), name);
    // The person's own words stay in the ticket, and nowhere else.
    const others = eventsOf(stdout).filter(({ type }) => type !== 'end');
    assert.ok(!JSON.stringify(others).includes(token));
  });
});
