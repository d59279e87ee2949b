import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { coding } from '../../../src/phases/coding/coding.ts';
import { type ExecutionWorld, executionWorlds, oneTry, report } from '../../support/engine/executionWorld.ts';

/** docs/decisions/121-agent-files-are-not-loaded.md */
describe('files made for agents', () => {
  const newWorld = executionWorlds();
  const present = {
    '.opencode/plugin/theirs.ts': 'export const theirs = 1;\n',
    '.claude/skills/theirs/SKILL.md': 'Be brief.\n',
    'opencode.json': '{}\n',
    'sub/opencode.jsonc': '{}\n',
  };

  async function coded(
    files: Readonly<Record<string, string>>,
    bead: { targetFiles?: string[] } = {},
  ): Promise<ExecutionWorld> {
    const world = await newWorld.in('CODING', { beads: [bead], limits: oneTry, files: present });
    world.answers({
      coding: () => {
        for (const [path, content] of Object.entries({ 'greet.txt': 'hello\n', ...files })) {
          mkdirSync(dirname(join(world.worktree, path)), { recursive: true });
          world.write(path, content);
        }
        return report('greet');
      },
    });
    return world;
  }

  const changed = async (world: ExecutionWorld): Promise<readonly string[]> =>
    (await world.repository.git('diff', '--name-status', 'main', 'ticket/TST-1')).split('\n');

  it('are on the branch as they were, and the person’s checkout stays as it is', async () => {
    const world = await coded({});
    const before = await world.repository.fingerprint();
    await world.drive({ coding });
    assert.equal((await world.bead('greet')).status, 'done');
    assert.deepEqual(await changed(world), ['A\tgreet.txt']);
    assert.equal(await world.repository.git('status', '--porcelain'), '');
    assert.equal(await world.repository.fingerprint(), before);
  });

  it('are committed when a bead is about them', async () => {
    const files = {
      '.opencode/plugin/theirs.ts': 'export const theirs = 2;\n',
      'sub/.opencode/tool/new.ts': '\n',
      'opencode.json': '{"a":1}\n',
    };
    const world = await coded(files, { targetFiles: ['greet.txt', ...Object.keys(files)] });
    await world.drive({ coding });
    assert.equal((await world.bead('greet')).status, 'done');
    const paths = [
      'M\t.opencode/plugin/theirs.ts',
      'A\tgreet.txt',
      'M\topencode.json',
      'A\tsub/.opencode/tool/new.ts',
    ];
    assert.deepEqual(await changed(world), paths);
    for (const [path, content] of Object.entries(files))
      assert.equal(await world.repository.git('show', `ticket/TST-1:${path}`), content.trim());
  });

  it('need a yes when the plan doesn’t name them', async () => {
    const world = await coded({
      '.opencode/plugin/new.ts': '\n',
      'sub/opencode.jsonc': '{"a":1}\n',
      '.mcp.json': '{}\n',
    });
    const driving = world.drive({ coding });
    const { id, text } = await world.request();
    for (const path of ['.opencode/plugin/new.ts', 'sub/opencode.jsonc', '.mcp.json'])
      assert.ok(text.includes(`${path}: changes what agents are told or may run`), text);
    await world.post('question_reply', { request: id, answers: [['Accept']] });
    await driving;
    assert.equal((await world.bead('greet')).status, 'done');
    assert.deepEqual(await changed(world), [
      'A\t.mcp.json',
      'A\t.opencode/plugin/new.ts',
      'A\tgreet.txt',
      'M\tsub/opencode.jsonc',
    ]);
  });
});
