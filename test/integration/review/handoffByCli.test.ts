import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type RequestRecord, startScriptedServer, type ScriptedServer } from '../../../src/demo/scriptedServer.ts';
import { HandoffReport } from '../../../src/domain/documents/handoffReport.ts';
import { readText } from '../../../src/domain/documents/text.ts';
import { type CliResult, eventsOf, runCli } from '../../support/cliProcess.ts';
import { tempFolders, tempRepositories } from '../../support/git/tempRepository.ts';

/** Two tickets by the command line, on the real OpenCode: what the second one is told is read from the requests themselves. */
describe('a handoff on the command line', function () {
  this.timeout(600_000);
  const makeRepository = tempRepositories();
  const makeFolder = tempFolders();
  const sent: { readonly request: Omit<RequestRecord, 'n'>; readonly body: string }[] = [];
  let model: ScriptedServer;

  before(async () => {
    model = await startScriptedServer({ onRequest: (request, body) => sent.push({ request, body }) });
  });
  after(() => model.close());

  it('AT-22: is written at the end of one ticket, and is in the plan and the coding of the next one, editable and removable', async () => {
    const repository = await makeRepository({ files: { 'package.json': '{ "name": "sample", "type": "module" }\n' }, name: 'sample' });
    const folder = await makeFolder();
    const config = join(folder, 'opencode.json');
    const options = { baseURL: model.url, apiKey: 'scripted' };
    const scripted = { npm: '@ai-sdk/openai-compatible', options, models: { alpha: {} } };
    await writeFile(config, JSON.stringify({ provider: { scripted }, enabled_providers: ['scripted'] }));
    const opencode = process.env['BEADSMITH_OPENCODE'];
    const driving = ['--opencode-config', config, ...(opencode === undefined ? [] : ['--opencode', opencode])];
    const cli = (words: readonly string[]): Promise<CliResult> =>
      runCli([...words, '--repo', repository.root, '--json'], { env: { XDG_CONFIG_HOME: folder } });
    const plan = ['--model', 'scripted/alpha', '--depth', 'quick'];
    const of = (task: string) => sent.splice(0).filter(({ request }) => request.task === task);

    const first = await cli([
      ...['run', '--title', 'Greet by name', ...plan, '--retrospective'],
      ...['--approve', 'all', '--end', 'merge', ...driving],
    ]);
    assert.equal(first.code, 0, first.stdout);
    const out = join(folder, 'out');
    assert.equal((await cli(['export', 'SAMPL-1', '--to', out])).code, 0);
    const stored = readText('yaml', await readFile(join(out, 'documents', 'handoff.yaml'), 'utf8'));
    assert.ok(stored.ok);
    const [pattern] = HandoffReport.parse(stored.value).patterns;
    assert.ok(pattern);
    assert.equal(of('retrospective').length, 1);

    const refused = await cli(['run', '--title', 'Say goodbye', ...plan, '--handoff', 'SAMPL-9', ...driving]);
    assert.match(refused.stdout, /there are handoffs of SAMPL-1/);
    const second = await cli(['run', '--title', 'Say goodbye', ...plan, '--iterations', '1', '--handoff', 'latest', ...driving]);
    assert.equal(second.code, 3, second.stdout);
    const ticket = eventsOf(second.stdout).findLast((event) => event.type === 'end')?.ticket ?? '';
    assert.ok(
      of('quick-plan').some(({ body }) => body.includes(pattern.text) && body.includes('What an earlier ticket leaves for this one.')),
    );

    const shown = eventsOf((await cli(['handoff', ticket])).stdout).find((event) => event.type === 'document');
    assert.ok(shown);
    assert.ok(shown.content.includes(pattern.text));
    const edited = join(folder, 'handoff.yaml');
    await writeFile(edited, shown.content.replace(pattern.text, 'As a person wrote it.'));
    assert.equal((await cli(['handoff', ticket, '--file', edited, ...driving])).code, 3);
    assert.equal((await cli(['regenerate', ticket, ...driving])).code, 3);
    const again = of('quick-plan');
    assert.ok(again.length > 0 && again.every(({ body }) => body.includes('As a person wrote it.') && !body.includes(pattern.text)));
    const stale = await cli(['handoff', ticket, '--file', edited, '--base', shown.sha256 ?? '', ...driving]);
    assert.notEqual(stale.code, 3, 'an edit of an old version is refused');

    // It may end at the final test: the scripted one passes without the work where the first ticket's notes are there.
    await cli(['approve', ticket, '--approve', 'all', ...driving]);
    const coded = of('coding');
    assert.ok(coded.length > 0 && coded.some(({ body }) => body.includes('As a person wrote it.')));
    assert.notEqual((await cli(['handoff', ticket, '--remove', ...driving])).code, 0, 'the plan is approved');
  });
});
