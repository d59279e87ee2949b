import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { codingReport, runCommand } from '../../../src/demo/generic/execution.ts';
import { noteFiles, noteModule, noteTest } from '../../../src/demo/generic/noteFiles.ts';
import { ModelScript, type ScriptInput } from '../../../src/demo/modelScript.ts';
import { type RequestRecord, type ScriptedServer, startScriptedServer } from '../../../src/demo/scriptedServer.ts';
import { ContextEntry } from '../../../src/domain/contextEntries.ts';
import { CliProcess, eventsOf, runCli } from '../../support/cliProcess.ts';
import { tempFolders, tempRepositories } from '../../support/git/tempRepository.ts';
import { until } from '../../support/until.ts';

const description = 'People want to be greeted.\n\n- Greet people by their name\n- Greet people without a name\n';
const ticket = 'SAMPL-1';
const wish = 'Say goodbye, too.';
const Beads = z.object({ type: z.literal('report'), beads: z.array(z.object({ id: z.string(), title: z.string() })) });

/** Context by the command line, on the real OpenCode: added and withdrawn while a bead is coded, and a driver that is killed with it. */
describe('context on the command line', function () {
  this.timeout(600_000);
  const makeRepository = tempRepositories();
  const makeFolder = tempFolders();
  const play: { script?: ModelScript; onRequest?: (request: Omit<RequestRecord, 'n'>, body: string) => void } = {};
  const sent: { readonly task: string; readonly body: string }[] = [];
  const running: CliProcess[] = [];
  let model: ScriptedServer;

  before(async () => {
    play.onRequest = ({ task }, body) => sent.push({ task, body });
    model = await startScriptedServer(play);
  });
  after(async () => {
    for (const one of running) one.child.kill('SIGTERM');
    await Promise.all(running.map(({ ended }) => ended));
    await model.close();
  });

  it('AT-31: changes what the next bead becomes, is withdrawn in time, and is delivered again after the driver was killed', async () => {
    const repository = await makeRepository({ files: { 'package.json': '{ "name": "sample", "type": "module" }\n' }, name: 'sample' });
    const folder = await makeFolder();
    const config = join(folder, 'opencode.json');
    const options = { baseURL: model.url, apiKey: 'scripted' };
    const scripted = { npm: '@ai-sdk/openai-compatible', options, models: { alpha: {} } };
    await writeFile(config, JSON.stringify({ provider: { scripted }, enabled_providers: ['scripted'] }));
    const env = { env: { XDG_CONFIG_HOME: folder } };
    const own = ['--repo', repository.root, '--json'];
    const opencode = process.env['BEADSMITH_OPENCODE'];
    const drives = ['--opencode-config', config, ...(opencode === undefined ? [] : ['--opencode', opencode])];
    const run = (...words: string[]): CliProcess => {
      const started = new CliProcess(['run', ...words, ...own, ...drives], env);
      running.push(started);
      return started;
    };
    const context = async (...words: string[]) => {
      const waits = words[0] === 'list' ? [] : ['--no-wait'];
      return runCli(['context', ...words, ...waits, ...own], env);
    };
    const listed = async () =>
      eventsOf((await context('list', ticket)).stdout).flatMap((event) => (event.type === 'context' ? [ContextEntry.parse(event)] : []));

    const letGo = async (bead: string): Promise<void> => {
      const place = join(`${repository.root}.worktrees`, ticket, '.ticket');
      await mkdir(place, { recursive: true });
      await writeFile(join(place, `go-${bead}`), '');
    };
    const text = ['--title', 'Add greetings', '--description', description, '--model', 'scripted/alpha', '--depth', 'solo'];
    const planned = await run(...text, '--skip-interview', '--approve', 'interview,prd,beads').ended;
    assert.equal(planned.code, 3, `${planned.stdout}\n${planned.stderr}`);
    const shown = Beads.parse(eventsOf((await runCli(['show', ticket, ...own], env)).stdout)[0]);
    const [first, second] = shown.beads;
    assert.ok(first && second);

    play.script = ModelScript.parse({ version: 1, name: 'test', tasks: { coding: codes(first, second) } });
    const driver = run(ticket, '--approve', 'setup');
    const asked = (has: string): boolean => sent.some(({ task, body }) => task === 'coding' && body.includes(has));
    await until(() => asked(first.id) || driver.child.exitCode !== null, 'the first bead is coded', 120_000);
    assert.equal((await context('add', ticket, wish)).code, 0);
    assert.equal((await context('add', ticket, 'Never mind.')).code, 0);
    const large = join(folder, 'large.txt');
    await writeFile(large, 'x'.repeat(1_000_000));
    const refused = await context('add', ticket, '--file', large);
    assert.equal(refused.code, 2);
    assert.match(refused.stdout + refused.stderr, /20,000 characters at most\. Put longer material into a file of the repository/);
    const [wanted, unwanted] = await listed();
    assert.deepEqual([wanted?.state, unwanted?.text, unwanted?.state], ['queued', 'Never mind.', 'queued']);
    assert.equal((await context('withdraw', ticket, unwanted?.id ?? '')).code, 0);
    await until(async () => (await listed())[1]?.state === 'withdrawn', 'it is withdrawn');
    await letGo(first.id);

    await until(() => asked(wish) || driver.child.exitCode !== null, 'the second bead is coded with it', 120_000);
    assert.equal((await listed())[0]?.state, 'delivered');
    driver.child.kill('SIGKILL');
    await driver.ended;
    await letGo(second.id);
    const before = sent.length;
    const resumed = await run(ticket, '--approve', 'setup').ended;
    assert.equal(resumed.code, 3, `${resumed.stdout}\n${resumed.stderr}`);
    assert.ok(
      sent.slice(before).some(({ task, body }) => task === 'coding' && body.includes(wish)),
      'the iteration that was killed has used nothing up',
    );
    assert.match(await repository.git('show', `ticket/${ticket}:${noteFiles(second.id).module}`), /goodbye = 'Goodbye'/);
    for (const { body } of sent) assert.ok(!body.includes('Never mind.'), 'what was withdrawn reached nobody');
    const [used] = await listed();
    assert.deepEqual([used?.state, used?.acknowledged], ['consumed', true]);
    const late = await runCli(['context', 'withdraw', ticket, used?.id ?? '', ...own, ...drives], env);
    assert.equal(late.code, 2, late.stdout);
    assert.match(late.stdout, /can't be withdrawn: an agent has it/);
  });
});

interface NamedBead {
  readonly id: string;
  readonly title: string;
}

/** Each bead waits until the test lets it continue. The second one does more than its plan says if it gets the context. */
function codes(first: NamedBead, second: NamedBead): NonNullable<ScriptInput['tasks'][string]> {
  const work = ({ id, title }: NamedBead, more: string) => {
    const files = noteFiles(id);
    const facts = { id, title, iteration: 1, testCommands: [`node --test ${files.test}`] };
    return {
      calls: [
        runCommand(`until [ -e .ticket/go-${id} ]; do sleep 0.2; done`),
        { tool: 'write', args: { filePath: files.module, content: `${noteModule(id, title)}${more}` } },
        { tool: 'write', args: { filePath: files.test, content: noteTest(id, title) } },
        runCommand(`node --test ${files.test}`),
      ],
      text: codingReport(facts, Object.values(files)),
    };
  };
  return [
    { when: { bead: first.id }, ...work(first, '') },
    { when: { bead: second.id, part: 'added_context', has: wish }, ...work(second, "export const goodbye = 'Goodbye';\n") },
  ];
}
