import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { coding } from '../../../src/phases/coding/coding.ts';
import { oneTry, ExecutionWorld, report } from '../../support/engine/executionWorld.ts';
import { tempRepository } from '../../support/git/tempRepository.ts';
import type { WeakeningRow } from './row.ts';

/** `said`: the question, or why the bead isn't done. */
export interface Outcome {
  readonly result: 'asked' | 'refused' | 'accepted';
  readonly said: string;
}

/** The row says nothing. */
export class RedBefore extends Error {}

/** Real phases, git and commands. Throws RedBefore. */
export async function driveRow({ before, after, planned, checks, own }: WeakeningRow): Promise<Outcome> {
  const world = new ExecutionWorld(await tempRepository({ files: { 'README.md': '# Sample\n', ...before } }));
  try {
    const isOwn = own !== undefined;
    const bead = {
      testCommands: [...(own ?? ['test -f greet.txt'])],
      targetFiles: [...(isOwn ? [] : ['greet.txt']), ...planned],
      tests: isOwn ? planned.slice(1) : [],
    };
    await world.begin('CODING', { beads: [bead], limits: oneTry });
    await world.prepared({ project_commands: { test_full: checks } });
    world.answers({
      coding: () => {
        for (const [path, text] of Object.entries({ ...(isOwn ? {} : { 'greet.txt': 'hello\n' }), ...after }))
          write(world, path, text);
        return report('greet');
      },
    });
    const outcome = await outcomeOf(world);
    const baseline = (await world.json('baseline')) as
      { readonly checks: readonly { command: string; passed: boolean }[] } | undefined;
    const red = baseline?.checks.find((check) => !check.passed && checks.includes(check.command));
    if (red) throw new RedBefore(`\`${red.command}\` fails before the work`);
    return outcome;
  } finally {
    await world.remove();
  }
}

function write(world: ExecutionWorld, path: string, text: string | null): void {
  const file = join(world.worktree, path);
  mkdirSync(dirname(file), { recursive: true });
  if (text === null) rmSync(file);
  else world.write(path, text);
  if (text?.startsWith('#!')) chmodSync(file, 0o755);
}

/** Says no, so that the drive ends. */
async function outcomeOf(world: ExecutionWorld): Promise<Outcome> {
  const driving = world.drive({ coding });
  const asked = await Promise.race([driving.then(() => undefined), world.request()]);
  if (asked) {
    await world.post('question_reply', { request: asked.id, answers: [['No.']] });
    await driving;
    return { result: 'asked', said: asked.text };
  }
  const { status, notes } = await world.bead('greet');
  if (status === 'done') return { result: 'accepted', said: '' };
  return { result: 'refused', said: `${JSON.stringify((await world.read()).error)} ${notes}` };
}
