import assert from 'node:assert/strict';
import { constants } from 'node:module';
import { join } from 'node:path';
import { keepCompiledCode } from '../../../src/cli/compiledCode.ts';

const { ENABLED, FAILED } = constants.compileCacheStatus;

describe('the compiled code of the command line', () => {
  it('is kept in the user’s cache, for threads and helpers, too', () => {
    const env: NodeJS.ProcessEnv = { BEADSMITH_CACHE: '/home/ada/.cache/beadsmith' };
    const kept = foldersOf(env, ENABLED);
    const folder = join('/home/ada/.cache/beadsmith', 'compiled');
    assert.deepEqual(kept, [folder]);
    assert.equal(env['NODE_COMPILE_CACHE'], folder);
  });

  it('is kept nowhere when that folder can’t be written', () => {
    const env: NodeJS.ProcessEnv = { BEADSMITH_CACHE: '/home/ada/.cache/beadsmith' };
    foldersOf(env, FAILED);
    assert.equal(env['NODE_COMPILE_CACHE'], undefined);
  });

  for (const choice of [{ NODE_COMPILE_CACHE: '/elsewhere' }, { NODE_DISABLE_COMPILE_CACHE: '1' }])
    it(`stays where the environment has it: ${Object.keys(choice).join('')}`, () => {
      const env: NodeJS.ProcessEnv = { ...choice };
      assert.deepEqual(foldersOf(env, ENABLED), []);
      assert.deepEqual(env, choice);
    });
});

function foldersOf(env: NodeJS.ProcessEnv, status: number): readonly string[] {
  const asked: string[] = [];
  keepCompiledCode(env, (folder) => {
    asked.push(folder);
    return { status };
  });
  return asked;
}
