import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { yamlFence } from '../../../src/demo/documentText.ts';
import { codingReport } from '../../../src/demo/generic/execution.ts';
import { ModelScript } from '../../../src/demo/modelScript.ts';
import { type RequestRecord, startScriptedServer, type ScriptedServer } from '../../../src/demo/scriptedServer.ts';
import { CliProcess } from '../../support/cliProcess.ts';
import { tempFolders, tempRepositories } from '../../support/git/tempRepository.ts';

const bead = 'note-greet-by-name-1';
const facts = { id: bead, title: 'Greet by name', iteration: 1, testCommands: [] };
const said = 'Read.';
const analysis = {
  assessments: { architecture: said, implementation: said, requirements: said, environment: said },
  rootCause: 'Nothing was written.',
  plan: ['Write the module.'],
  recommendation: 'retry',
  rationale: 'It was not tried.',
  retryHint: 'Begin with the module and its test.',
  confidence: 0.9,
};
const givesUp = { when: { bead, iteration: 1 }, calls: [], text: codingReport(facts, [], 'It did nothing.') };

/** A bead that fails first, by the command line, on the real OpenCode: what the next iteration is sent is read from the requests themselves. */
describe('a failure analysis on the command line', function () {
  this.timeout(600_000);
  const makeRepository = tempRepositories();
  const makeFolder = tempFolders();
  const sent: { readonly request: Omit<RequestRecord, 'n'>; readonly body: string }[] = [];
  let model: ScriptedServer;
  let running: CliProcess | undefined;

  before(async () => {
    const tasks = { coding: [givesUp], 'failure-analysis': [{ when: { model: 'beta' }, calls: [], text: yamlFence(analysis) }] };
    const script = ModelScript.parse({ version: 1, name: 'test', tasks: JSON.parse(JSON.stringify(tasks)) as unknown });
    model = await startScriptedServer({ script, onRequest: (request, body) => sent.push({ request, body }) });
  });
  after(async () => {
    running?.child.kill('SIGTERM');
    await running?.ended;
    await model.close();
  });

  it('advises the next iteration, whose request has the hint, and which succeeds', async () => {
    const repository = await makeRepository({ files: { 'package.json': '{ "name": "sample", "type": "module" }\n' }, name: 'sample' });
    const folder = await makeFolder();
    const config = join(folder, 'opencode.json');
    const options = { baseURL: model.url, apiKey: 'scripted' };
    const scripted = { npm: '@ai-sdk/openai-compatible', options, models: { alpha: {}, beta: {} } };
    await writeFile(config, JSON.stringify({ provider: { scripted }, enabled_providers: ['scripted'] }));
    const opencode = process.env['BEADSMITH_OPENCODE'];
    const ways = [
      '--depth',
      'solo',
      '--review',
      'off',
      '--reviewer',
      'scripted/beta',
      '--failure-analysis',
      'auto',
      '--continuations',
      '0',
    ];
    const own = [
      '--repo',
      repository.root,
      '--json',
      '--opencode-config',
      config,
      ...(opencode === undefined ? [] : ['--opencode', opencode]),
    ];
    running = new CliProcess(['run', '--title', 'Greet by name', '--model', 'scripted/alpha', ...ways, '--approve', 'all', ...own], {
      env: { XDG_CONFIG_HOME: folder },
    });
    const ended = await running.ended;
    assert.equal(ended.code, 0, running.stderr + ended.stdout.slice(-4_000));
    const bodies = (task: string) => sent.filter(({ request }) => request.task === task);
    const calls = bodies('failure-analysis');
    assert.deepEqual([...new Set(calls.map(({ body }) => /You are (\w+),/.exec(body)?.[1]))].toSorted(), ['Amelia', 'Bob', 'Winston']);
    for (const call of calls) {
      assert.equal(call.request.model, 'beta');
      assert.doesNotMatch(call.body, /Beadsmith task: coding|DEV_RECORD/);
    }
    const coded = bodies('coding').map(({ body }) => body.includes('Begin with the module and its test.'));
    assert.equal(coded[0], false);
    assert.equal(coded.at(-1), true);
  });
});
