import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { yamlFence } from '../../../src/demo/documentText.ts';
import { noteFiles, noteTest } from '../../../src/demo/generic/noteFiles.ts';
import { ModelScript } from '../../../src/demo/modelScript.ts';
import { type RequestRecord, startScriptedServer, type ScriptedServer } from '../../../src/demo/scriptedServer.ts';
import { Findings } from '../../../src/domain/documents/findings.ts';
import { readText } from '../../../src/domain/documents/text.ts';
import { CliProcess, runCli } from '../../support/cliProcess.ts';
import { tempFolders, tempRepositories } from '../../support/git/tempRepository.ts';

const bead = 'note-greet-by-name-1';
const files = noteFiles(bead);
const { module } = files;
const test = {
  file: files.test,
  content: `${noteTest(bead, 'Greet by name')}\nimport * as all from './${bead}.mjs';\n\ntest('it greets', () => assert.equal(all.greeting, 'Hello'));\n`,
  command: `node --test ${files.test}`,
};
const finding = {
  ...{ severity: 'medium', category: 'correctness', file: module, line: 1, claim: 'Nobody is greeted.', confidence: 0.9 },
  evidence: 'export function summary() {',
  suggestedFix: 'Export a greeting.',
  test,
};
const invented = { ...finding, evidence: 'export function secondSummary() {', claim: 'There are two of them.', test: undefined };
const tasks = {
  review: [
    {
      when: { model: 'beta', bead },
      calls: [{ tool: 'read', args: { filePath: module } }],
      text: yamlFence({ checked: ['What the title asks for.'], findings: [finding, invented] }),
    },
  ],
  fix: [
    {
      calls: [
        {
          tool: 'edit',
          args: {
            filePath: module,
            oldString: 'export function summary() {',
            newString: "export const greeting = 'Hello';\n\nexport function summary() {",
          },
        },
        { tool: 'write', args: { filePath: test.file, content: test.content } },
      ],
    },
  ],
};

/** A ticket with review, by the command line, on the real OpenCode: what the reviewer is sent is read from the requests themselves. */
describe('a review on the command line', function () {
  this.timeout(600_000);
  const makeRepository = tempRepositories();
  const makeFolder = tempFolders();
  const sent: { readonly request: Omit<RequestRecord, 'n'>; readonly body: string }[] = [];
  let model: ScriptedServer;
  let running: CliProcess | undefined;

  before(async () => {
    const script = ModelScript.parse({ version: 1, name: 'test', tasks: JSON.parse(JSON.stringify(tasks)) as unknown });
    model = await startScriptedServer({ script, onRequest: (request, body) => sent.push({ request, body }) });
  });
  after(async () => {
    running?.child.kill('SIGTERM');
    await running?.ended;
    await model.close();
  });

  it('AT-15: finds what the checks missed, proves it, has it fixed, and is told nothing of the developer, who is told nothing of reviews', async () => {
    const repository = await makeRepository({ files: { 'package.json': '{ "name": "sample", "type": "module" }\n' }, name: 'sample' });
    const folder = await makeFolder();
    const config = join(folder, 'opencode.json');
    const options = { baseURL: model.url, apiKey: 'scripted' };
    const scripted = { npm: '@ai-sdk/openai-compatible', options, models: { alpha: {}, beta: {} } };
    await writeFile(config, JSON.stringify({ provider: { scripted }, enabled_providers: ['scripted'] }));
    const opencode = process.env['BEADSMITH_OPENCODE'];
    const env = { env: { XDG_CONFIG_HOME: folder } };
    const models = ['--model', 'scripted/alpha', '--depth', 'solo', '--review', 'standard', '--reviewer', 'scripted/beta'];
    const own = [
      '--repo',
      repository.root,
      '--json',
      '--opencode-config',
      config,
      ...(opencode === undefined ? [] : ['--opencode', opencode]),
    ];
    running = new CliProcess(['run', '--title', 'Greet by name', ...models, '--approve', 'all', ...own], env);
    assert.equal((await running.ended).code, 0, running.stderr);

    const out = join(folder, 'out');
    const exported = await runCli(['export', 'SAMPL-1', '--to', out, '--repo', repository.root, '--json'], env);
    assert.equal(exported.code, 0, exported.stdout);
    const document = readText('yaml', await readFile(join(out, 'documents', 'review-findings.yaml'), 'utf8'));
    assert.ok(document.ok);
    assert.deepEqual(
      Findings.parse(document.value).reviews.map(({ reviewer, findings }) => [
        reviewer,
        ...findings.map(({ standing, confirmed }) => [standing, confirmed]),
      ]),
      [['scripted/beta', ['fix', true], ['unfounded', false]], ['scripted/beta']],
    );
    assert.match(await repository.git('show', `ticket/SAMPL-1:${module}`), /greeting = 'Hello'/);
    const of = (task: string) => sent.filter(({ request }) => request.task === task);
    const [first] = of('review');
    assert.ok(first);
    assert.equal(first.request.model, 'beta');
    assert.deepEqual(
      first.request.tools.filter((tool) => /edit|write|patch|bash/.test(tool)),
      [],
    );
    for (const { body } of of('review')) assert.doesNotMatch(body, /Beadsmith task: coding|DEV_RECORD|"iteration/);
    assert.ok(of('coding').length > 0);
    for (const { body } of of('coding'))
      assert.doesNotMatch(body, /Beadsmith task: review|Nobody is greeted|suggestedFix|The change to review/);
    assert.match(of('fix')[0]?.body ?? '', /Nobody is greeted/);
    for (const { body } of of('fix')) assert.doesNotMatch(body, /There are two of them|Beadsmith task: (?:coding|review)/);
    assert.ok(of('review-again').length > 0);
  });
});
