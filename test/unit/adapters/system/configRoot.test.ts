import assert from 'node:assert/strict';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { configRoot, ownPromptFolder } from '../../../../src/adapters/system/configRoot.ts';

describe('the folder of Beadsmith in the user’s configuration', () => {
  before(function () {
    if (process.platform === 'linux') return;
    console.log('    these folders are those of Linux');
    this.skip();
  });

  it('is where the desktop keeps configuration, and an empty variable counts as none', () => {
    assert.equal(configRoot({ XDG_CONFIG_HOME: '/configured', HOME: '/home/me' }), '/configured/beadsmith');
    for (const env of [{ HOME: '/home/me' }, { XDG_CONFIG_HOME: '', HOME: '/home/me' }])
      assert.equal(configRoot(env), '/home/me/.config/beadsmith');
    assert.equal(configRoot({}), join(homedir(), '.config', 'beadsmith'));
  });

  it('holds the person’s own prompts', () => {
    assert.equal(ownPromptFolder({ HOME: '/home/me' }), '/home/me/.config/beadsmith/prompts');
  });
});
