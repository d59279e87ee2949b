import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findSandbox } from '../../../src/adapters/sandbox/findSandbox.ts';
import type { OpencodeAgent } from '../../../src/adapters/opencode/opencodeAgent.ts';
import { cacheRoot } from '../../../src/adapters/system/cacheRoot.ts';
import { callOptions, OpencodeBench } from '../../support/models/opencodeServer.ts';
import { canTrySandbox } from '../../support/sandbox.ts';
import { ArmedFolders } from './armed.ts';

const modes = (await canTrySandbox()) ? (['off', 'require'] as const) : (['off'] as const);

/** docs/decisions/121-agent-files-are-not-loaded.md */
for (const mode of modes) {
  describe(`OpenCode and files made for it, with the sandbox ${mode === 'off' ? 'off' : 'on'}`, () => {
    let bench: OpencodeBench;
    let armed: ArmedFolders;
    let tree: string;
    let home: string;
    const serving = mode === 'off' ? /^main$/ : /^coding-/;
    let open: () => OpencodeAgent;
    before(async () => {
      bench = await new OpencodeBench().start();
      tree = join(bench.folder, 'repository.worktrees', 'ABC-1');
      home = join(bench.folder, 'home');
      execFileSync('git', ['worktree', 'add', '--quiet', tree], { cwd: bench.repository, stdio: 'ignore' });
      mkdirSync(join(tree, 'sub', 'deep'), { recursive: true });
      mkdirSync(home);
      writeFileSync(join(tree, 'sub', 'deep', 'text.txt'), 'text');
      armed = await new ArmedFolders(join(tree, 'marks')).start();
      const env = { ...bench.options().env, HOME: home, BEADSMITH_CACHE: cacheRoot(process.env) };
      const sandbox = await findSandbox(mode, { commonDir: join(bench.repository, '.git') });
      open = () => bench.agent({ env, sandbox });
    });
    after(async () => {
      armed.stop();
      await bench.stop();
    });

    /** OpenCode starts what it has when a session reads, edits or runs something. */
    const work = async (agent: OpencodeAgent, command = 'ls'): Promise<void> => {
      const [session, file] = [
        await agent.createSession({
          directory: tree,
          title: `ABC-1 ${String(Math.random())}`,
          policy: 'default',
        }),
        join(tree, 'sub', 'deep', 'text.txt'),
      ];
      const steps = [
        { tool: 'read', input: { filePath: file } },
        { tool: 'edit', input: { filePath: file, oldString: 'text', newString: 'text text' } },
        { tool: 'write', input: { filePath: join(tree, 'made.js'), content: 'let made;' } },
        { tool: 'bash', input: { command, description: 'try' } },
      ];
      bench.model.reset();
      bench.model.answer = (_request, index) =>
        steps[index] ? { kind: 'tool', ...steps[index] } : { kind: 'text', text: 'done' };
      const reply = await agent.prompt(
        session,
        { member: 'tiny/one', policy: 'default', text: 'go' },
        callOptions(),
      );
      assert.ok(reply.ok && reply.tools.length === steps.length, JSON.stringify(reply));
      const said = bench.model.requests.flatMap(({ body, tools }) => [
        ...(body.match(/MARK-[\w.-]+/g) ?? []),
        ...tools,
      ]);
      assert.deepEqual([...new Set(said)].sort(), [
        'bash',
        'edit',
        'glob',
        'grep',
        'read',
        'todowrite',
        'write',
      ]);
    };

    // Around the worktree they are there from the start; in it an agent makes them, before another folder or
    // server opens it.
    it('runs none of them, wherever they are, nor any that an agent makes, in the session or after it', async () => {
      const places = {
        sub: join(tree, 'sub'),
        deep: join(tree, 'sub', 'deep'),
        beside: dirname(tree),
        checkout: bench.repository,
      };
      for (const [place, folder] of Object.entries({ ...places, above: bench.folder, home }))
        armed.arm(folder, place);
      armed.arm(join(tree, 'kit'), 'made');
      writeFileSync(join(tree, 'plant.sh'), 'cp -R kit/. . && cp -R kit/. "$HOME"/ && echo planted');
      const agent = open();
      await work(agent, 'sh ./plant.sh');
      const laid = readdirSync(join(tree, '.opencode')).sort();
      assert.ok(readdirSync(join(tree, '.opencode', 'plugin')).includes('armed.ts'));
      assert.deepEqual(
        laid,
        readdirSync(join(tree, 'kit', '.opencode')).sort(),
        'nothing was installed beside them',
      );
      const first = await bench.record(serving);
      assert.ok(first);
      await agent.release(tree);
      // In a sandbox, that ends the server, and the next use starts one with all of them; else the same one
      // opens the folder again.
      assert.equal((await bench.record(serving))?.nonce, mode === 'off' ? first.nonce : undefined);
      await work(agent);
      let last = agent;
      if (mode === 'off') {
        await agent.stop();
        last = open();
        await work(last);
      }
      assert.notEqual(
        (await bench.record(serving))?.nonce,
        first.nonce,
        'the last one was started with all of them in place',
      );
      await last.stop();
      assert.deepEqual(armed.found(), []);
      assert.deepEqual(readdirSync(join(tree, '.opencode')).sort(), laid, 'nothing was installed there');
    });
  });
}
