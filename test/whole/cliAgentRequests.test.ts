import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { ModelScript } from '../../src/demo/script/modelScript.ts';
import { startScriptedServer, type ScriptedServer } from '../../src/demo/scriptedServer.ts';
import { PendingRequest } from '../../src/domain/ticket/agentRequest.ts';
import { CliProcess, eventsOf, runCli } from '../support/cliProcess.ts';
import { codingTasks } from '../support/models/codingTasks.ts';
import { tempFolders, tempRepositories } from '../support/git/tempRepository.ts';
import { until } from '../support/until.ts';

const calls = [
  {
    tool: 'question',
    args: {
      questions: [
        { question: 'Shall it shout?', header: 'Tone', options: [{ label: 'Yes', description: '' }] },
      ],
    },
  },
  {
    tool: 'bash',
    args: { command: 'cat /etc/hostname', description: 'Reads a file outside of the worktree' },
  },
];
const Report = z.object({
  type: z.literal('report'),
  requests: z.array(PendingRequest),
  status: z.string(),
  next: z.array(z.string()),
});

/** One terminal drives, another one answers. */
describe('an agent that asks on the command line', function () {
  this.timeout(600_000);
  const makeRepository = tempRepositories();
  const makeFolder = tempFolders();
  let model: ScriptedServer;
  let running: CliProcess | undefined;

  before(async () => {
    model = await startScriptedServer({
      script: ModelScript.parse({ version: 1, name: 'test', tasks: codingTasks({ calls }) }),
    });
  });
  after(async () => {
    running?.child.kill('SIGTERM');
    await running?.ended;
    await model.close();
  });

  it('is shown, answered and allowed from elsewhere, and continues', async () => {
    const files = { 'package.json': '{ "name": "sample", "type": "module" }\n' };
    const repository = await makeRepository({ files, name: 'sample' });
    const folder = await makeFolder();
    const config = join(folder, 'opencode.json');
    const options = { baseURL: model.url, apiKey: 'scripted' };
    const scripted = { npm: '@ai-sdk/openai-compatible', options, models: { alpha: {} } };
    await writeFile(config, JSON.stringify({ provider: { scripted }, enabled_providers: ['scripted'] }));
    const opencode = process.env['BEADSMITH_OPENCODE'];
    const own = ['--repo', repository.root, '--json'];
    const env = { env: { XDG_CONFIG_HOME: folder } };
    const start = [
      '--model',
      'scripted/alpha',
      '--depth',
      'solo',
      '--approve',
      'all',
      '--agent-questions',
      '300',
      '--opencode-config',
      config,
    ];
    running = new CliProcess(
      [
        'run',
        '--title',
        'Greet by name',
        ...start,
        ...own,
        ...(opencode === undefined ? [] : ['--opencode', opencode]),
      ],
      env,
    );
    const show = async () =>
      Report.parse(eventsOf((await runCli(['show', 'SAMPL-1', ...own], env)).stdout)[0]);
    const waiting = async (kind: 'question' | 'permission') => {
      const driver = running;
      await until(
        () => driver?.stdout.includes(`"hold":"${kind}"`) ?? false,
        `the agent asks: ${kind}`,
        400_000,
      );
      const { requests, next } = await show();
      assert.equal(requests[0]?.content.kind, kind);
      return { content: requests[0].content, next: next.join('\n') };
    };

    const asked = await waiting('question');
    assert.match(asked.next, /reply SAMPL-1/);
    assert.equal((await runCli(['reply', 'SAMPL-1', 'Yes', '--no-wait', ...own], env)).code, 0);

    const wanted = await waiting('permission');
    assert.ok(wanted.content.kind === 'permission' && wanted.content.command === 'cat /etc/hostname');
    assert.match(wanted.next, /allow SAMPL-1[\s\S]*deny SAMPL-1/);
    assert.equal((await runCli(['deny', 'SAMPL-1', '--no-wait', ...own], env)).code, 0);

    assert.equal((await running.ended).code, 0, running.stderr);
    assert.deepEqual((await show()).requests, []);
  });
});
