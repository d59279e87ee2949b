import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { commandEnvironment, toolchainFolders } from '../../../../src/adapters/system/commandEnvironment.ts';
import { tempFolder } from '../../../support/tempFolder.ts';

describe('the environment of commands', () => {
  const temp = tempFolder('environment');
  after(() => temp.remove());

  it('has places and locale of the person, and nothing that is secret, of the editor or not set', () => {
    const passed = {
      PATH: '/bin',
      LC_TIME: 'C',
      GOPATH: '/go',
      JAVA_HOME: '/java',
      https_proxy: 'http://proxy',
    };
    const { CI, NO_COLOR, GIT_TERMINAL_PROMPT, PAGER, GIT_PAGER, DEBIAN_FRONTEND, ...rest } =
      commandEnvironment({
        ...passed,
        OPENAI_API_KEY: 'key',
        GITHUB_TOKEN: 'token',
        ELECTRON_RUN_AS_NODE: '1',
        LC_lower: 'x',
        MY_LC_ALL: 'x',
        HOME: undefined,
        CI: '',
        PAGER: 'less',
        GIT_TERMINAL_PROMPT: '1',
      });
    assert.deepEqual(rest, passed);
    assert.deepEqual(
      [CI, NO_COLOR, GIT_TERMINAL_PROMPT, PAGER, GIT_PAGER, DEBIAN_FRONTEND],
      ['1', '1', '0', 'cat', 'cat', 'noninteractive'],
    );
  });

  it('names the folders of toolchains that there are: those that are set, or else those below the home folder', () => {
    const at = (name: string) => join(temp.path, name);
    for (const name of ['.rustup', '.pyenv', 'my-pyenv', 'java']) mkdirSync(at(name));
    const found = toolchainFolders({
      HOME: temp.path,
      PYENV_ROOT: at('my-pyenv'),
      JAVA_HOME: at('java'),
      GOROOT: at('gone'),
    });
    assert.deepEqual(found, {
      JAVA_HOME: at('java'),
      RUSTUP_HOME: at('.rustup'),
      PYENV_ROOT: at('my-pyenv'),
    });
  });
});
