import { spawn } from 'node:child_process';
import { readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Attack, attacksOn } from './attacks.ts';
import { secret, type Victim } from './victim.ts';

/** Makes an attack in the worktree and answers what it printed. */
export type Runner = (attack: Attack) => Promise<string>;

/** Why an attack escaped; undefined if it didn't. */
export type Outcome = string | undefined;

/** Tries attacks one after the other. What one of them changed doesn't count for the next. */
export async function tryAttacks(
  attacks: readonly Attack[],
  victim: Victim,
  run: Runner,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const { name } of attacks) {
    // Written when it is tried: the process that it is about may be another one by then.
    const attack = attacksOn(victim).find((one) => one.name === name);
    if (!attack) continue;
    const before = victim.fingerprint();
    victim.connections();
    const printed = await run(attack);
    // The system ends what is left in a box a moment after the box.
    for (
      let left = 40;
      left > 0 && attack.leaves !== undefined && processesOf(attack.leaves).length > 0;
      left--
    )
      await pause(25);
    outcomes.push(outcomeOf(attack, printed, before, victim));
    if (attack.leaves !== undefined)
      for (const pid of processesOf(attack.leaves)) process.kill(pid, 'SIGKILL');
    if (!victim.processIsAlive()) await victim.revive();
  }
  return outcomes;
}

function outcomeOf({ leaves }: Attack, printed: string, before: string, victim: Victim): Outcome {
  if (leaves !== undefined && processesOf(leaves).length > 0) return 'left a process';
  if (!victim.processIsAlive()) return 'killed a process';
  if (printed.includes(secret)) return 'read it';
  if (victim.connections() > 0) return 'connected';
  if (victim.fingerprint() !== before) return 'changed it';
  return printed.includes('ESCAPED') ? 'done' : undefined;
}

function processesOf(program: string): readonly number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      return basename(readlinkSync(`/proc/${name}/exe`)).startsWith(program) && !/^Z/.test(stateOf(name))
        ? [Number(name)]
        : [];
    } catch {
      return [];
    }
  });
}

function stateOf(pid: string): string {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  return stat.slice(stat.lastIndexOf(')') + 2);
}

/** Everything that a program prints. It ends after a minute. */
export function printedBy(
  program: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      ...options,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 60_000,
      killSignal: 'SIGKILL',
    });
    let printed = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    child.once('error', (error) => resolve(error.message));
    // What was left behind may keep its output open.
    child.once('exit', () => setImmediate(() => resolve(printed)));
  });
}
