import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, lstatSync } from 'node:fs';
import { chmod, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { findSandbox } from '../../../src/adapters/sandbox/findSandbox.ts';
import { commandEnvironment } from '../../../src/adapters/system/commandEnvironment.ts';
import type { SandboxPolicy } from '../../../src/engine/ports/sandboxPort.ts';
import { tempFolders } from '../../support/git/tempRepository.ts';
import { canTrySandbox } from '../../support/sandbox.ts';

/** As it lies below HOME. `$HOME` in texts and values is the person's. */
interface Manager {
  readonly name: string;
  /** By path. */
  readonly programs: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
  readonly links?: Readonly<Record<string, string>>;
  readonly path: readonly string[];
  /** By a login shell. */
  readonly env?: Readonly<Record<string, string>>;
}

const says = 'echo tool 1.2.3';
/** Starts the version which a global file names. */
const shim = (versions: string, folder: string) =>
  `exec "${folder}/$(sed -n 's/^tool[ =]*"*\\([0-9.]*\\).*/\\1/p' "${versions}")/bin/tool"`;

const managers: readonly Manager[] = [
  {
    name: 'fnm',
    programs: { '.local/share/fnm/node-versions/v1/installation/bin/tool': says },
    links: { '.local/state/fnm_multishells/1_2': '.local/share/fnm/node-versions/v1/installation' },
    path: ['.local/state/fnm_multishells/1_2/bin'],
  },
  {
    name: 'nvm',
    programs: { '.nvm/versions/node/v1/bin/tool': says },
    path: ['.nvm/versions/node/v1/bin'],
    env: { NVM_DIR: '$HOME/.nvm' },
  },
  {
    name: 'asdf',
    programs: {
      '.asdf/shims/tool': shim('$HOME/.tool-versions', '$ASDF_DATA_DIR/installs/tool'),
      '.asdf/installs/tool/1.2.3/bin/tool': says,
    },
    files: { '.tool-versions': 'tool 1.2.3\n' },
    path: ['.asdf/shims'],
  },
  {
    name: 'mise',
    programs: {
      '.local/share/mise/shims/tool': shim('$HOME/.config/mise/config.toml', '$MISE_DATA_DIR/installs/tool'),
      '.local/share/mise/installs/tool/1.2.3/bin/tool': says,
    },
    files: { '.config/mise/config.toml': '[env]\nTOKEN = "hunter2"\n\n[tools]\ntool = "1.2.3"\n' },
    path: ['.local/share/mise/shims'],
  },
  {
    name: 'pyenv',
    programs: {
      '.pyenv/shims/tool': shim('$PYENV_ROOT/version', '$PYENV_ROOT/versions'),
      '.pyenv/versions/1.2.3/bin/tool': says,
    },
    files: { '.pyenv/version': 'tool 1.2.3\n' },
    path: ['.pyenv/shims'],
  },
  {
    name: 'rustup',
    programs: {
      '.cargo/bin/tool': shim('$RUSTUP_HOME/settings.toml', '$RUSTUP_HOME/toolchains'),
      '.rustup/toolchains/1.2.3/bin/tool': says,
    },
    files: { '.rustup/settings.toml': 'tool = "1.2.3"\n', '.cargo/credentials.toml': 'token = "hunter2"\n' },
    path: ['.cargo/bin'],
  },
  {
    name: 'sdkman',
    programs: { '.sdkman/candidates/java/1.2.3/bin/tool': says },
    links: { '.sdkman/candidates/java/current': '.sdkman/candidates/java/1.2.3' },
    path: ['.sdkman/candidates/java/current/bin'],
    env: { SDKMAN_DIR: '$HOME/.sdkman', JAVA_HOME: '$HOME/.sdkman/candidates/java/current' },
  },
];

describe('programs in the sandbox', () => {
  const makeFolder = tempFolders();

  before(async function () {
    if (!(await canTrySandbox())) this.skip();
  });

  const makePlace = async ({
    programs = {},
    files = {},
    links = {},
    path = [],
    env = {},
  }: Partial<Manager>) => {
    const root = await makeFolder();
    const at = (name: string) => join(root, name);
    const home = at('home');
    for (const name of ['home', 'repo/.git/beadsmith', 'tree', 'box'])
      await mkdir(at(name), { recursive: true });
    const write = async (name: string, text: string, mode: number) => {
      await mkdir(dirname(join(home, name)), { recursive: true });
      await writeFile(join(home, name), text);
      await chmod(join(home, name), mode);
    };
    for (const [name, text] of Object.entries(programs)) await write(name, `#!/bin/sh\n${text}\n`, 0o755);
    const secrets = {
      '.npmrc': 'token=hunter2',
      '.netrc': 'password hunter2',
      '.cargo/credentials.toml': 'hunter2',
      '.gitconfig': 'hunter2',
    };
    for (const [name, text] of Object.entries({ ...secrets, ...files })) await write(name, text, 0o644);
    for (const [name, to] of Object.entries(links)) {
      await mkdir(dirname(join(home, name)), { recursive: true });
      await symlink(join(home, to), join(home, name));
    }
    const login = {
      HOME: home,
      PATH: [...path.map((folder) => join(home, folder)), '/usr/bin', '/bin'].join(':'),
      ...Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value.replace('$HOME', home)])),
    };
    const sandbox = await findSandbox('require', { commonDir: at('repo/.git') });
    const policy: SandboxPolicy = {
      domain: 'commands',
      tree: at('tree'),
      treeAccess: 'rw',
      readWrite: [],
      readOnly: [],
      folder: at('box'),
      network: 'none',
    };
    const run = async (script: string) => {
      const wrapped = await sandbox.wrap(
        { program: '/bin/sh', args: ['-c', script], env: commandEnvironment(login) },
        policy,
      );
      const { stdout } = await promisify(execFile)(wrapped.program, [...wrapped.args], {
        env: { ...wrapped.env },
        timeout: 20_000,
      }).catch((error: unknown) => ({ stdout: `failed: ${String(error)}` }));
      return stdout.trim();
    };
    return { at, home, run };
  };

  for (const manager of managers)
    it(`are found as a login shell finds them: ${manager.name}`, async () => {
      const { home, run } = await makePlace(manager);
      assert.equal(await run('tool'), 'tool 1.2.3');
      // With what the first run left in the home of the sandbox.
      assert.equal(await run('command -v tool >/dev/null && tool'), 'tool 1.2.3');
      assert.match(
        await run(`for file in $(find '${home}' -name tool -type f); do echo x >> "$file"; done; tool`),
        /^tool 1\.2\.3$/,
      );
      assert.doesNotMatch(
        await run(`grep -rs hunter2 '${home}' ~ || true`),
        /hunter2/,
        'no secret of the home is shown',
      );
    });

  const browsers = {
    '.cache/ms-playwright/chromium-1/chrome': says,
    '.cache/puppeteer/chrome/linux-1/chrome': says,
    '.cache/Cypress/13.0.0/Cypress': says,
  };

  it('have the browsers of the person, and add their own beside them', async () => {
    const { home, run } = await makePlace({ programs: browsers });
    for (const program of Object.keys(browsers))
      assert.equal(await run(`~/${program}`), 'tool 1.2.3', program);
    assert.equal(
      await run('mkdir -p ~/.cache/ms-playwright/chromium-2 ~/.cache/puppeteer/chrome/linux-2 && echo added'),
      'added',
    );
    assert.ok(!existsSync(join(home, '.cache/ms-playwright/chromium-2')));
    assert.match(await run('echo x > ~/.cache/ms-playwright/chromium-1/chrome'), /^failed/);
    assert.equal(
      await run('~/.cache/ms-playwright/chromium-1/chrome && ls ~/.cache/ms-playwright'),
      'tool 1.2.3\nchromium-1\nchromium-2',
    );
  });

  it('have the browsers from where a variable says', async () => {
    const programs = { 'browsers/chromium-1/chrome': says };
    const { run } = await makePlace({ programs, env: { PLAYWRIGHT_BROWSERS_PATH: '$HOME/browsers' } });
    assert.equal(
      await run('"${PLAYWRIGHT_BROWSERS_PATH:-$HOME/.cache/ms-playwright}/chromium-1/chrome"'),
      'tool 1.2.3',
    );
    const whole = await makePlace({ env: { PLAYWRIGHT_BROWSERS_PATH: '$HOME' } });
    assert.match(await whole.run(`cat '${whole.home}/.npmrc' ~/.cache/ms-playwright/.npmrc`), /^failed/);
    const inside = await makePlace({ env: { PLAYWRIGHT_BROWSERS_PATH: '0' } });
    assert.equal(await inside.run('echo "$PLAYWRIGHT_BROWSERS_PATH"'), '0');
  });

  it('have a git identity, which a repository of its own overrides', async () => {
    const { run } = await makePlace({});
    const commit = 'git commit -q --allow-empty -m test && git log -1 --format="%an <%ae>"';
    assert.equal(
      await run(`git init -q /tmp/one && cd /tmp/one && ${commit}`),
      'Beadsmith <beadsmith@localhost>',
    );
    assert.equal(
      await run(`cd /tmp/one && git config user.name Ada && git config user.email a@b.c && ${commit}`),
      'Ada <a@b.c>',
    );
    assert.equal(
      await run(`git config --global user.name Bo && git init -q /tmp/two && cd /tmp/two && ${commit}`),
      'Bo <beadsmith@localhost>',
    );
  });

  it('are prepared through no link that a command left', async () => {
    const { at, home, run } = await makePlace({
      programs: browsers,
      files: { '.tool-versions': 'tool 1\n' },
    });
    await mkdir(at('outside'));
    await run('true');
    await rm(at('box/home/.cache'), { recursive: true });
    await symlink(at('outside'), at('box/home/.cache'));
    await rm(at('box/home/.tool-versions'));
    await symlink(join(home, '.npmrc'), at('box/home/.tool-versions'));
    await run('true');
    assert.equal(await readFile(join(home, '.npmrc'), 'utf8'), 'token=hunter2');
    assert.ok(!existsSync(at('outside/ms-playwright')));
    assert.ok(lstatSync(at('box/home/.tool-versions')).isFile());
  });
});
