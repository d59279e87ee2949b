import { join } from 'node:path';
import { findSandbox } from '../../../src/adapters/sandbox/findSandbox.ts';
import { commandEnvironment } from '../../../src/adapters/system/commandEnvironment.ts';
import { type Attack, attacksOn, commandLine } from './attacks.ts';
import { type Outcome, printedBy, type Runner, tryAttacks } from './tryAttacks.ts';
import { Victim } from './victim.ts';

/** What an attack came to with and without a box. */
export interface Tried extends Pick<Attack, 'area' | 'name'> {
  readonly boxed: Outcome;
  readonly plain: Outcome;
}

/** Tries every attack in a box and, on another machine in small, without one. */
export async function tryAll(say: (text: string) => void): Promise<readonly Tried[]> {
  const boxed = await tryIn(inBox, () => true, say);
  const plain = await tryIn(plainly, () => true, say);
  return boxed.map(({ attack, outcome }, index) => ({
    area: attack.area,
    name: attack.name,
    boxed: outcome,
    plain: plain[index]?.outcome,
  }));
}

/** A new victim for each area, because some attacks leave little of one. */
export async function tryIn(
  runner: (victim: Victim) => Promise<Runner>,
  chosen: (attack: Attack) => boolean,
  say: (text: string) => void,
): Promise<readonly { readonly attack: Attack; readonly outcome: Outcome }[]> {
  const found: { attack: Attack; outcome: Outcome }[] = [];
  // Only for what is chosen: one area needs the built program.
  const probe = new Victim();
  const wanted = areas.filter((area) => attacksOn(probe).some((attack) => attack.area === area && chosen(attack)));
  await probe.stop();
  for (const area of wanted) {
    const victim = await new Victim(area === commandLine).start();
    try {
      const attacks = attacksOn(victim).filter((attack) => attack.area === area && chosen(attack));
      const outcomes = await tryAttacks(attacks, victim, await runner(victim));
      found.push(...attacks.map((attack, index) => ({ attack, outcome: outcomes[index] })));
      say(`${area}: ${String(attacks.length)} tried, ${String(outcomes.filter(Boolean).length)} escaped`);
    } finally {
      await victim.stop();
    }
  }
  return found;
}

const areas = [
  ...['read the home folder', 'read the system', 'write outside', 'other tickets', 'git', 'what the engine trusts', commandLine],
  ...['network', 'processes', 'the kernel'],
];

/** The box of a command and of a coding agent alike: without a network. */
export async function inBox(victim: Victim): Promise<Runner> {
  const sandbox = await findSandbox('require', { commonDir: join(victim.repository, '.git') });
  return async (command) => {
    const { program, args, env } = await sandbox.wrap(
      { program: '/bin/sh', args: ['-c', command], env: environment(victim) },
      {
        domain: 'commands',
        tree: victim.worktree,
        treeAccess: 'rw',
        readWrite: [],
        readOnly: [],
        folder: join(victim.root, 'box'),
        network: 'none',
      },
    );
    return printedBy(program, args, { cwd: victim.worktree, env });
  };
}

/** Without any box, as commands ran before there was one. */
function plainly(victim: Victim): Promise<Runner> {
  const options = { cwd: victim.worktree, env: environment(victim) };
  return Promise.resolve((command) => printedBy('/bin/sh', ['-c', command], options));
}

function environment(victim: Victim): Record<string, string> {
  return commandEnvironment({ ...process.env, HOME: victim.home });
}
