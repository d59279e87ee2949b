import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { yamlFence } from '../../../src/demo/documentText.ts';
import { noteFiles } from '../../../src/demo/generic/noteFiles.ts';
import { ModelScript } from '../../../src/demo/modelScript.ts';
import { type RequestRecord, startScriptedServer, type ScriptedServer } from '../../../src/demo/scriptedServer.ts';
import { Findings } from '../../../src/domain/documents/findings.ts';
import { readText } from '../../../src/domain/documents/text.ts';
import { CliProcess, runCli } from '../../support/cliProcess.ts';
import { tempFolders, tempRepositories } from '../../support/git/tempRepository.ts';

const bead = 'note-greet-by-name-1';
const { module } = noteFiles(bead);
const finding = {
  ...{ severity: 'high', category: 'correctness', file: module, line: 1, claim: 'Nobody is greeted.', confidence: 0.9 },
  ...{ evidence: 'export function summary() {', suggestedFix: 'Export a greeting.' },
};
const judged = { checked: ['What the title asks for.'], findings: [finding] };
const edit = {
  tool: 'edit',
  args: { filePath: module, oldString: 'export function summary() {', newString: '// was here\nexport function summary() {' },
};
const greeting = { ...edit.args, newString: "export const greeting = 'Hello';\n\nexport function summary() {" };
const tasks = {
  // Winston tries to change the code, with tools that his session doesn't have.
  review: [
    {
      when: { bead, part: 'persona', has: 'Winston' },
      forced: true,
      calls: [edit, { tool: 'bash', args: { command: 'touch stolen', description: 'x' } }],
      text: yamlFence(judged),
    },
    { when: { bead, part: 'persona', has: 'Murat' }, text: yamlFence(judged) },
  ],
  fix: [{ calls: [{ tool: 'edit', args: greeting }] }],
};

/** A ticket with kickoff and party review, by the command line, on the real OpenCode with the scripted model. */
describe('a party on the command line', function () {
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

  it('AT-16, AT-19, AT-24: talks before, reviews with three who can write nothing, and fixes what they agree on', async () => {
    const repository = await makeRepository({ files: { 'package.json': '{ "name": "sample", "type": "module" }\n' }, name: 'sample' });
    const folder = await makeFolder();
    const config = join(folder, 'opencode.json');
    const options = { baseURL: model.url, apiKey: 'scripted' };
    const scripted = { npm: '@ai-sdk/openai-compatible', options, models: { alpha: {}, beta: {} } };
    await writeFile(config, JSON.stringify({ provider: { scripted }, enabled_providers: ['scripted'] }));
    const opencode = process.env['BEADSMITH_OPENCODE'];
    const env = { env: { XDG_CONFIG_HOME: folder } };
    const models = ['--model', 'scripted/alpha', '--depth', 'solo', '--review', 'party', '--reviewer', 'scripted/beta', '--kickoff'];
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
    const [review] = Findings.parse(document.value).reviews;
    assert.deepEqual(
      review?.findings.map(({ personas, votes, standing }) => [personas, votes, standing]),
      [[['murat', 'winston'], 3, 'fix']],
    );
    const records = (await readFile(join(out, 'documents', 'bead-records.jsonl'), 'utf8')).split('\n').filter((line) => line !== '');
    const kinds = records.map((line) => (JSON.parse(line) as { kind: string }).kind);
    assert.equal(kinds.filter((kind) => kind === 'kickoff').length, 1);
    assert.equal(kinds.filter((kind) => kind === 'party_review').length, 2);

    const of = (task: string) => sent.filter(({ request }) => request.task === task);
    for (const task of ['kickoff', 'review', 'review-again', 'party-vote']) {
      assert.ok(of(task).length >= 3, task);
      for (const { request } of of(task))
        assert.deepEqual(
          request.tools.filter((tool) => /edit|write|patch|bash/.test(tool)),
          [],
          task,
        );
    }
    for (const { body } of of('coding')) assert.match(body, /kickoff_insights/);
    // What Winston tried ended as a failed tool call in his own session, and is in no file.
    const tried = of('review').filter(({ body }) => body.includes('// was here'));
    assert.ok(
      tried.some(({ body }) => /unavailable tool|invalid/i.test(body)),
      'the edit was refused',
    );
    const code = await repository.git('show', `ticket/SAMPL-1:${module}`);
    assert.match(code, /greeting = 'Hello'/);
    assert.doesNotMatch(code, /was here/);
    assert.doesNotMatch(await repository.git('ls-tree', '-r', '--name-only', 'ticket/SAMPL-1'), /stolen/);
  });
});
