import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { systemClock } from '../../../src/adapters/clock/systemClock.ts';
import { Shell } from '../../../src/adapters/process/shell.ts';
import { findSandbox } from '../../../src/adapters/sandbox/findSandbox.ts';
import { TicketSandboxes } from '../../../src/app/localPorts.ts';
import { LocalRegistry } from '../../support/localRegistry.ts';
import { canTrySandbox } from '../../support/sandbox.ts';
import { tempFolder } from '../../support/tempFolder.ts';

const canTry = await canTrySandbox();

/** From a registry of the person's own, and from nowhere else. */
(canTry ? describe : describe.skip)('The network of a setup in a sandbox', () => {
  const temp = tempFolder('setup');
  const tree = join(temp.path, 'tree');
  const commonDir = join(temp.path, 'git');
  const other = createServer((_, answer) => answer.end('reached'));
  let registry: LocalRegistry;
  let shell: Shell;
  before(async () => {
    for (const folder of [tree, commonDir, join(temp.path, 'home')]) mkdirSync(folder);
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    registry = await LocalRegistry.start(temp.path);
    const sandboxes = new TicketSandboxes({
      repository: { root: tree, commonDir },
      reserve: () => Promise.resolve(undefined),
    });
    shell = new Shell({
      clock: systemClock,
      environment: {
        PATH: process.env['PATH'],
        HOME: join(temp.path, 'home'),
        npm_config_registry: registry.url,
      },
      sandbox: await findSandbox('require', { commonDir }),
      policyFor: (options) => sandboxes.forCommand(options),
    });
  });
  after(async () => {
    other.close();
    await registry.stop();
    temp.remove();
  });

  const run = (command: string, network: 'install' | 'none') =>
    shell.run(command, {
      cwd: tree,
      timeoutMs: 60_000,
      sandbox: { ticket: 'ABC-1', worktree: tree, network },
    });

  it('is the registry that the person’s configuration names', async () => {
    writeFileSync(
      join(tree, 'package.json'),
      JSON.stringify({ name: 'x', private: true, dependencies: { left: '1.0.0' } }),
    );
    const { exitCode, head } = await run(
      'npm install --no-audit --no-fund && node -p "require(\'left\')"',
      'install',
    );
    assert.equal(exitCode, 0, head);
    assert.match(head, /left/);
    assert.notEqual(
      (
        await run(
          'rm -rf node_modules package-lock.json; npm install --no-audit --no-fund --fetch-retries 0 --cache ./none',
          'none',
        )
      ).exitCode,
      0,
    );
  });

  it('is no other host, which the output names with the setting', async () => {
    const { port } = other.address() as AddressInfo;
    const script = `fetch('http://127.0.0.1:${String(port)}').then((r) => r.text()).then(console.log, () => console.log('refused'))`;
    const { head } = await run(`curl -s -m 5 http://collector.example/; node -e "${script}"`, 'install');
    assert.doesNotMatch(head, /^reached/m);
    assert.match(head, /The sandbox refused connections to .*beadsmith\.sandboxHosts/);
  });
});
