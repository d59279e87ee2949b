import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Settings } from '../../../../src/domain/settings/settings.ts';
import { failureBehind } from '../../../../src/domain/beads/failure.ts';
import { coding } from '../../../../src/phases/coding/coding.ts';
import { type ExecutionWorld, executionWorlds, report } from '../../../support/engine/executionWorld.ts';

type Policy = Settings['gitHookPolicy'];

describe('git hooks of the repository', () => {
  const newWorld = executionWorlds();

  const hook = (path: string, lines: readonly string[]): void => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, ['#!/bin/sh', ...lines, ''].join('\n'));
    chmodSync(path, 0o755);
  };
  const traceOf = (world: ExecutionWorld): string => join(world.repository.root, '..', 'trace');
  const traced = (world: ExecutionWorld): string[] =>
    existsSync(traceOf(world)) ? readFileSync(traceOf(world), 'utf8').trim().split('\n') : [];

  /** pre-commit refuses `bad.txt`; commit-msg a subject that names no bead. */
  async function withHooks(
    folder: string,
    policy: Policy | undefined,
    use?: 'run' | 'leave',
  ): Promise<ExecutionWorld> {
    const world = await newWorld();
    const { root } = world.repository;
    const note = (name: string) => `echo ${name} >> '${traceOf(world)}'`;
    hook(join(root, folder, 'pre-commit'), [
      note('pre-commit'),
      'if git diff --cached --name-only | grep bad.txt; then exit 1; fi',
    ]);
    hook(join(root, folder, 'commit-msg'), [note('commit-msg'), `grep -q '^bead(' "$1"`]);
    for (const name of ['prepare-commit-msg', 'post-commit', 'pre-push', 'post-checkout'])
      hook(join(root, folder, name), [note(name)]);
    await world.begin('CODING', {
      settings: policy === undefined ? {} : { gitHookPolicy: policy },
      limits: { maxIterations: 0, maxContinuations: 1 },
    });
    const offered = ['pre-commit', 'commit-msg'].map((name) => ({ name, use }));
    await world.prepared(use === undefined ? {} : { hooks: offered });
    world.answers({
      coding: world.writing({ 'greet.txt': 'hello\n', 'bad.txt': 'bad\n' }),
      'coding-continue': async ({ whole }) => {
        assert.match(
          whole,
          /git hooks of this repository don't accept the commit[^]*git hook run pre-commit[^]*bad\.txt/,
        );
        await world.git.restore(world.worktree, ['bad.txt']);
        return report('greet');
      },
    });
    return world;
  }
  const committed = (world: ExecutionWorld): Promise<string> =>
    world.repository.git('diff', '--name-only', 'main', 'ticket/TST-1');

  it('never run unless the policy or the plan says so', async () => {
    for (const [policy, use] of [
      [undefined, undefined],
      ['validate_required', 'leave'],
      ['observe_only', 'run'],
    ] as const) {
      const world = await withHooks('.git/hooks', policy, use);
      await world.drive({ coding });
      assert.equal((await world.bead('greet')).status, 'done', policy);
      assert.deepEqual(traced(world), [], policy);
      assert.equal(await committed(world), 'bad.txt\ngreet.txt', policy);
    }
  });

  it('check the commit before the branch gets it where they run, wherever they are', async () => {
    const world = await withHooks('.githooks', 'use_native_hooks');
    await world.repository.git('config', 'core.hooksPath', join(world.repository.root, '.githooks'));
    await world.drive({ coding });
    assert.equal((await world.bead('greet')).status, 'done', JSON.stringify((await world.read()).error));
    assert.equal(await committed(world), 'greet.txt');
    assert.deepEqual(traced(world), ['pre-commit', 'pre-commit', 'commit-msg'], 'no other hook runs');
    assert.equal((await world.json('git_hooks:greet'))?.['passed'], true);
  });

  it('are required or advisory, as the policy says of those that the plan runs', async () => {
    const required = await withHooks('.git/hooks', 'validate_required', 'run');
    await required.drive({ coding });
    assert.equal(await committed(required), 'greet.txt');
    const advisory = await withHooks('.git/hooks', 'validate_advisory', 'run');
    await advisory.drive({ coding });
    assert.equal(await committed(advisory), 'bad.txt\ngreet.txt');
    assert.equal((await advisory.json('git_hooks:greet'))?.['passed'], false);
    assert.ok(
      advisory.events.some(
        (event) =>
          event.type === 'activity' &&
          /^The git hook pre-commit refuses the commit of greet\. It is committed all the same[^]*\n\nbad\.txt$/.test(
            event.text,
          ),
      ),
    );
  });

  it('are heard in their own words where their refusal ends the work', async () => {
    const refused = async (name: string, lines: readonly string[]) => {
      const world = await newWorld();
      hook(join(world.repository.root, '.git/hooks', name), lines);
      const limits = { maxIterations: 1, maxContinuations: 0 };
      await world.begin('CODING', { settings: { gitHookPolicy: 'use_native_hooks' }, limits });
      await world.prepared();
      world.answers({
        coding: world.writing({ 'greet.txt': 'hello\n' }),
        'coding-note': () => 'Refused.',
      });
      await world.drive({ coding });
      const { error } = await world.read();
      return { said: String(error?.args['reason']), output: failureBehind(error?.diagnostics ?? {})?.output };
    };
    const message = ['echo "input: $(head -1 "$1")"', 'echo "subject may not be empty" >&2', 'exit 1'];
    const { said, output } = await refused('commit-msg', message);
    assert.equal(said, 'The git hook commit-msg refused the commit: subject may not be empty');
    assert.match(output ?? '', /^input: bead\(greet\)[^]*\nsubject may not be empty$/);
    assert.equal(
      (await refused('pre-commit', ['exit 3'])).said,
      'The git hook pre-commit refused the commit: it exited with 3.',
    );
    const changing = await refused('pre-commit', ['echo more >> greet.txt']);
    assert.equal(
      changing.said,
      'The git hook pre-commit refused the commit: it changes files, and a commit keeps its files.',
    );
    assert.match(changing.output ?? '', /greet\.txt \| 1 \+/);
  });

  it('change no commit: what one writes is reported, as of a formatter that husky starts', async () => {
    const world = await newWorld({
      'package.json': '{"scripts": {"prepare": "husky"}}\n',
      '.husky/pre-commit': 'echo formatted >> greet.txt\n',
    });
    // As husky installs itself: an ignored folder, made in each checkout.
    const install = [
      'mkdir -p .husky/_',
      `printf '*' > .husky/_/.gitignore`,
      `printf '#!/bin/sh\\n# husky\\ngrep -q formatted greet.txt || sh .husky/pre-commit\\n' > .husky/_/pre-commit`,
      'chmod +x .husky/_/pre-commit',
    ].join(' && ');
    await world.repository.git('config', 'core.hooksPath', '.husky/_');
    hook(join(world.repository.root, '.husky/_/pre-commit'), ['# husky']);
    await world.begin('CODING', {
      settings: { gitHookPolicy: 'use_native_hooks' },
      limits: { maxIterations: 0, maxContinuations: 1 },
    });
    await world.prepared({ bootstrap_commands: [install] });
    world.answers({
      coding: world.writing({ 'greet.txt': 'hello\n' }),
      'coding-continue': ({ whole }) => {
        assert.match(whole, /git diff --exit-code[^]*greet\.txt \| 1 \+/);
        world.write('greet.txt', 'hello\nformatted\n');
        return report('greet');
      },
    });
    await world.drive({ coding });
    assert.equal((await world.bead('greet')).status, 'done', JSON.stringify((await world.read()).error));
    assert.equal(await world.repository.git('show', 'ticket/TST-1:greet.txt'), 'hello\nformatted');
    assert.deepEqual(
      (await world.git.hooks()).map(({ name, path, manager }) => [name, path, manager]),
      [['pre-commit', '.husky/_/pre-commit', 'husky']],
    );
  });
});
