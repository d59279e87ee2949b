import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../../../src/adapters/clock/systemClock.ts';
import { Shell } from '../../../../src/adapters/process/shell.ts';
import { NoSandbox } from '../../../../src/adapters/sandbox/findSandbox.ts';
import { TicketSandboxes } from '../../../../src/app/localPorts.ts';
import type { CommandSandbox } from '../../../../src/engine/ports/ports.ts';
import { reservationIn } from '../../../support/fakes/fakeWorkplace.ts';
import { tempFolders } from '../../../support/git/tempRepository.ts';

describe('the home of a proof without a sandbox', () => {
  const makeFolder = tempFolders();

  async function place(environment: (at: (name: string) => string) => Record<string, string> = () => ({})) {
    const folder = await makeFolder();
    const at = (name: string) => join(folder, name);
    for (const name of ['repo/.git', 'tree', 'home/.local/bin', 'home/.cargo', 'home/go', 'home/.cache/pip'])
      mkdirSync(at(name), { recursive: true });
    for (const name of ['.npmrc', '.gitconfig', '.bashrc']) writeFileSync(at(`home/${name}`), 'mark');
    const sandboxes = new TicketSandboxes({
      repository: { root: at('repo'), commonDir: at('repo/.git') },
      reserve: () => Promise.resolve(reservationIn(at('own'))),
    });
    const shell = new Shell({
      clock: systemClock,
      environment: { PATH: `${at('home/.local/bin')}:/usr/bin:/bin`, HOME: at('home'), ...environment(at) },
      sandbox: new NoSandbox('off'),
      policyFor: (command) => sandboxes.forCommand(command),
    });
    const sandbox: CommandSandbox = { ticket: 'A-1', worktree: at('tree'), network: 'none', isProof: true };
    const run = async (command: string, more: Partial<CommandSandbox> = {}) =>
      (
        await shell.run(command, { cwd: at('tree'), timeoutMs: 20_000, sandbox: { ...sandbox, ...more } })
      ).head.trim();
    return { at, run };
  }

  it('holds nothing that was left in the person’s, and what a bootstrap installed there', async () => {
    const { at, run } = await place((folder) => ({
      XDG_CONFIG_HOME: folder('home/.config'),
      XDG_RUNTIME_DIR: '/run/user',
    }));
    // Of its own it has a git identity.
    const marks = 'find ~ -type f | sed "s,^$HOME/,,"; echo "$XDG_CONFIG_HOME$XDG_RUNTIME_DIR"';
    assert.equal(await run(marks), '.config/git/config\n/run/user');
    const tool =
      'mkdir -p ~/.local/bin; echo "echo installed" > ~/.local/bin/tool; chmod +x ~/.local/bin/tool';
    writeFileSync(at('home/.local/bin/tool'), '#!/bin/sh\necho older\n', { mode: 0o755 });
    await run(tool, { network: 'install' });
    assert.equal(await run('tool; echo ~'), `installed\n${at('own/proof-box/home')}`);
  });

  it('is the person’s own where no proof runs', async () => {
    const { at, run } = await place();
    assert.equal(await run('echo ~ $CARGO_HOME', { isProof: false }), at('home'));
  });

  it('finds toolchains and what was fetched where they are, unless a variable says otherwise', async () => {
    const { at, run } = await place((folder) => ({ XDG_CACHE_HOME: folder('cache'), GOPATH: '/other/go' }));
    mkdirSync(at('cache/pip'), { recursive: true });
    mkdirSync(at('home/.rustup'));
    assert.equal(
      await run('echo $CARGO_HOME $RUSTUP_HOME $GOPATH $PIP_CACHE_DIR $XDG_CACHE_HOME-$PUB_CACHE'),
      `${at('home/.cargo')} ${at('home/.rustup')} /other/go ${at('cache/pip')} -`,
    );
  });

  it('has the person’s logins of registries while packages are installed, and never in a check', async () => {
    const { at, run } = await place();
    const logins = 'echo "$npm_config_userconfig $GIT_CONFIG_GLOBAL"';
    assert.equal(await run(logins), '');
    assert.equal(await run(logins, { network: 'install' }), `${at('home/.npmrc')} ${at('home/.gitconfig')}`);
  });
});
