import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  ownVariables,
  refuseProjectFiles,
  withoutProjectFiles,
} from '../../../../../src/adapters/opencode/sandbox/projectFiles.ts';
import { folderForEach } from '../../../../support/tempFolder.ts';

describe('files for OpenCode in a repository', () => {
  const temp = folderForEach('project');

  const at = (name: string) => join(temp.path, name);

  it('are not loaded by our servers', async () => {
    const variables = await withoutProjectFiles(temp.path);
    assert.deepEqual(variables, {
      OPENCODE_DISABLE_PROJECT_CONFIG: '1',
      OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
      OPENCODE_DISABLE_CLAUDE_CODE: '1',
      OPENCODE_DISABLE_EXTERNAL_SKILLS: '1',
      OPENCODE_PURE: '1',
      OPENCODE_TEST_HOME: temp.path,
      GIT_ALLOW_PROTOCOL: 'none',
    });
    assert.deepEqual(
      [...ownVariables].sort(),
      Object.keys(variables).sort(),
      'none of them is for commands of an agent',
    );
  });

  it('are kept out by a plugin that never ends, and is written again if it is another one', async () => {
    await withoutProjectFiles(temp.path);
    const plugin = at('opencode/plugin/0.js');
    assert.equal(readFileSync(plugin, 'utf8'), 'await new Promise(() => {});\n');
    assert.equal(statSync(at('opencode/plugin')).mode & 0o777, 0o700);
    writeFileSync(plugin, 'export {};\n');
    await withoutProjectFiles(temp.path);
    assert.equal(readFileSync(plugin, 'utf8'), 'await new Promise(() => {});\n');
  });

  it('are kept out by files that are not written again while a server may read them', async () => {
    await withoutProjectFiles(temp.path);
    assert.match(readFileSync(at('opencode/.gitignore'), 'utf8'), /^node_modules$/m);
    writeFileSync(at('opencode/.gitignore'), 'of OpenCode itself\n');
    const files = [at('opencode/.gitignore'), at('opencode/plugin/0.js')];
    for (const file of files) utimesSync(file, 1, 1);
    await withoutProjectFiles(temp.path);
    assert.deepEqual(
      files.map((file) => statSync(file).mtimeMs),
      [1_000, 1_000],
    );
  });

  it('keep a server of the user from being used there', () => {
    const url = 'http://127.0.0.1:4096';
    refuseProjectFiles(temp.path, url);
    for (const name of ['.opencode', 'opencode.json', 'opencode.jsonc']) {
      const folder = at(`with ${name}`);
      mkdirSync(folder);
      writeFileSync(join(folder, name), '');
      assert.throws(
        () => refuseProjectFiles(folder, url),
        (error: Error & { code?: string }) =>
          error.code === 'OPENCODE_START_FAILED' &&
          error.message.includes(`${url} would load ${join(folder, name)}.`),
      );
    }
  });
});
