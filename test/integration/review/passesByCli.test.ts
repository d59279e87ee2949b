import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { noteFiles } from '../../../src/demo/generic/noteFiles.ts';
import { ModelScript } from '../../../src/demo/modelScript.ts';
import { type RequestRecord, type ScriptedServer, startScriptedServer } from '../../../src/demo/scriptedServer.ts';
import { CliProcess, runCli } from '../../support/cliProcess.ts';
import { tempFolders, tempRepositories } from '../../support/git/tempRepository.ts';

const { module } = noteFiles('note-greet-by-name-1');
const tasks = {
  coding: [
    {
      when: { part: 'iteration', has: 'Pass 2' },
      calls: [
        {
          tool: 'edit',
          args: { filePath: module, oldString: 'export function', newString: '// Verified in the second pass.\nexport function' },
        },
      ],
      text: 'Each criterion holds. I answer to {{nonce}}.\n\n<promise> COMPLETE </promise>',
    },
  ],
};

/** Passes by the command line, on the real OpenCode, whose answers come in pieces. */
describe('passes on the command line', function () {
  this.timeout(600_000);
  const makeRepository = tempRepositories();
  const makeFolder = tempFolders();
  const sent: { readonly request: Omit<RequestRecord, 'n'>; readonly body: string }[] = [];
  let model: ScriptedServer;
  let running: CliProcess | undefined;

  before(async () => {
    const script = ModelScript.parse({ version: 1, name: 'test', tasks });
    model = await startScriptedServer({ script, onRequest: (request, body) => sent.push({ request, body }) });
  });
  after(async () => {
    running?.child.kill('SIGTERM');
    await running?.ended;
    await model.close();
  });

  it('AT-28, AT-29: work on the same files in fresh sessions, and end with a promise that the checks confirm', async () => {
    const repository = await makeRepository({ files: { 'package.json': '{ "name": "sample", "type": "module" }\n' }, name: 'sample' });
    const folder = await makeFolder();
    const config = join(folder, 'opencode.json');
    const options = { baseURL: model.url, apiKey: 'scripted' };
    const scripted = { npm: '@ai-sdk/openai-compatible', options, models: { alpha: {} } };
    await writeFile(config, JSON.stringify({ provider: { scripted }, enabled_providers: ['scripted'] }));
    const opencode = process.env['BEADSMITH_OPENCODE'];
    const env = { env: { XDG_CONFIG_HOME: folder } };
    const binary = opencode === undefined ? [] : ['--opencode', opencode];
    const own = ['--repo', repository.root, '--json', '--opencode-config', config, ...binary];
    const loop = ['--min-passes', '2', '--max-passes', '3', '--promise', 'COMPLETE'];
    const models = ['--model', 'scripted/alpha', '--depth', 'solo', '--review', 'off'];
    running = new CliProcess(['run', '--title', 'Greet by name', ...models, ...loop, '--approve', 'all', ...own], env);
    const { code, stdout } = await running.ended;
    assert.equal(code, 0, running.stderr || stdout.slice(-2_000));
    assert.match(stdout, /pass 2 of 3: [^"]*The loop ended: done, and the checks pass/);

    assert.match(await repository.git('show', `ticket/SAMPL-1:${module}`), /Verified in the second pass/);
    const bodies = sent.filter(({ request }) => request.task === 'coding').map(({ body }) => body);
    const first = bodies.filter((body) => /Pass 1 of at most 3/.test(body));
    const second = bodies.filter((body) => /Pass 2 of at most 3/.test(body));
    assert.ok(first.length > 0 && second.length > 0);
    assert.ok(second.every((body) => !/Pass 1 of at most 3/.test(body) && /Pass 1 reported that the bead is done/.test(body)));
    const out = join(folder, 'out');
    const exported = await runCli(['export', 'SAMPL-1', '--to', out, '--repo', repository.root, '--json'], env);
    assert.equal(exported.code, 0, exported.stdout);
    const records = await readFile(join(out, 'documents', 'bead-records.jsonl'), 'utf8');
    assert.match(records, /claimed_early[^]*"end":"validated_complete"/);
  });
});
