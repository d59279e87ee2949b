import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { systemClock } from '../../../src/adapters/clock/systemClock.ts';
import { WorktreeFiles } from '../../../src/adapters/files/ticketFiles.ts';
import { Shell } from '../../../src/adapters/process/shell.ts';
import { findSandbox } from '../../../src/adapters/sandbox/findSandbox.ts';
import { TicketSandboxes } from '../../../src/app/localPorts.ts';
import { coding } from '../../../src/phases/coding/coding.ts';
import { type ExecutionWorld, executionWorlds } from '../../support/engine/executionWorld.ts';
import { canTrySandbox } from '../../support/sandbox.ts';

const canTry = await canTrySandbox();

/** Hooks look into the git folder, which can't be written from a sandbox. */
(canTry ? describe : describe.skip)('git hooks in a sandbox', () => {
  const newWorld = executionWorlds();

  async function sandboxed(hooks: Readonly<Record<string, readonly string[]>>): Promise<ExecutionWorld> {
    const world = await newWorld();
    const { root } = world.repository;
    for (const [name, lines] of Object.entries(hooks)) {
      const path = join(root, '.git', 'hooks', name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, ['#!/bin/sh', ...lines, ''].join('\n'));
      chmodSync(path, 0o755);
    }
    const commonDir = join(root, '.git');
    const sandboxes = new TicketSandboxes({
      repository: { root, commonDir },
      reserve: () => Promise.resolve(undefined),
    });
    const sandbox = await findSandbox('auto', { commonDir });
    world.runner = new Shell({
      clock: systemClock,
      environment: process.env,
      sandbox,
      policyFor: (command) => sandboxes.forCommand(command),
    });
    Object.assign(world, { files: new WorktreeFiles() });
    await world.begin('CODING', {
      settings: { gitHookPolicy: 'use_native_hooks' },
      limits: { maxIterations: 1, maxContinuations: 0 },
    });
    await world.prepared();
    world.answers({
      coding: world.writing({ 'greet.txt': 'hello\n' }),
      'coding-note': () => 'Refused.',
    });
    await world.drive({ coding });
    return world;
  }

  it('see the commit staged on its parent and its message, and accept it', async () => {
    const seen = [
      `test "$(git diff --cached --name-only)" = greet.txt`,
      `test "$(git rev-parse HEAD)" = "$(git rev-parse main)"`,
      `test -z "$(git status --porcelain | grep -v '^A  greet.txt')"`,
      'git log -1 --format=%s main > /dev/null && git stash list && git update-index --refresh',
    ];
    const world = await sandboxed({
      'pre-commit': ['set -e', ...seen],
      'commit-msg': [`grep -q '^bead(greet)' "$1" && echo >> "$1"`],
    });
    assert.equal((await world.bead('greet')).status, 'done', JSON.stringify((await world.read()).error));
    assert.equal((await world.json('git_hooks:greet'))?.['passed'], true);
  });

  it('refuse it in their own words', async () => {
    const world = await sandboxed({ 'pre-commit': ['echo "format greet.txt first" >&2; exit 1'] });
    const { error } = await world.read();
    assert.equal(
      String(error?.args['reason']),
      'The git hook pre-commit refused the commit: format greet.txt first',
    );
  });
});
