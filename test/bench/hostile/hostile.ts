import { basename, join } from 'node:path';
import { commandSandbox } from '../../../src/adapters/opencode/sandbox/sandboxedServer.ts';
import { findSandbox } from '../../../src/adapters/sandbox/findSandbox.ts';
import type { SandboxPolicy } from '../../../src/engine/ports/sandboxPort.ts';
import { commandEnvironment } from '../../../src/adapters/system/commandEnvironment.ts';
import { type Attack, agentServer, attacks, commandLine, commandOn, serverPorts } from './attacks.ts';
import { Victim, secret } from './victim.ts';
import { spawn } from 'node:child_process';
import { readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

export interface Tried extends Pick<Attack, 'area' | 'name'> {
  readonly sandboxed: Outcome;
  readonly plain: Outcome;
}

/** In a sandbox and, on another machine in small, without one. */
export async function tryAll(say: (text: string) => void): Promise<readonly Tried[]> {
  const sandboxed = await tryIn(inSandbox, () => true, say);
  const plain = await tryIn(plainly, () => true, say);
  return sandboxed.map(({ attack, outcome }, index) => ({
    area: attack.area,
    name: attack.name,
    sandboxed: outcome,
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
  for (const [area, tried] of Map.groupBy(attacks.filter(chosen), (attack) => attack.area)) {
    const victim = await new Victim(area === commandLine).start();
    try {
      const outcomes = await tryAttacks(tried, victim, await runner(victim));
      found.push(...tried.map((attack, index) => ({ attack, outcome: outcomes[index] })));
      say(`${area}: ${String(tried.length)} tried, ${String(outcomes.filter(Boolean).length)} escaped`);
    } finally {
      await victim.stop();
    }
  }
  return found;
}

/** Without a network. */
export async function inSandbox(victim: Victim): Promise<Runner> {
  const sandbox = await findSandbox('require', { commonDir: join(victim.repository, '.git') });
  // The first sandbox of a repository writes the filter of all.
  await sandbox.wrap({ program: '/bin/true', args: [], env: {} }, commandsPolicy(victim));
  const places = { folder: victim.server, sockets: victim.sockets };
  const beside = commandSandbox(
    { sandbox, domain: { name: 'coding', kind: 'coding', tree: victim.worktree } },
    places,
  );
  return async ({ area, command }) => {
    const isBeside = area === agentServer;
    const { program, args, env } = await sandbox.wrap(
      {
        program: '/bin/sh',
        args: isBeside ? besideServer(command, victim, beside) : ['-c', command],
        env: environment(victim),
      },
      isBeside
        ? {
            ...commandsPolicy(victim),
            domain: 'coding',
            readWrite: Object.values(places),
            folder: join(victim.server, 'box'),
            holdsSandboxes: true,
          }
        : commandsPolicy(victim),
    );
    return printedBy(program, args, { cwd: victim.worktree, env });
  };
}

function commandsPolicy({ worktree, root }: Victim): SandboxPolicy {
  const nothing = { readWrite: [], readOnly: [] };
  return {
    domain: 'commands',
    tree: worktree,
    treeAccess: 'rw',
    ...nothing,
    folder: join(root, 'box'),
    network: 'none',
  };
}

/** A shell runs a command beside a program with a password that answers at a server's ports and socket. */
function besideServer(command: string, { sockets }: Victim, beside: readonly string[]): readonly string[] {
  const answering = [serverPorts.server, serverPorts.models, `${sockets}/model.sock`].map(
    (at) => `require('http').createServer((_, answer) => answer.end('yes')).listen(${JSON.stringify(at)})`,
  );
  const server = `${answering.join(';')}.on('listening', () => require('fs').writeFileSync('${sockets}/ready', ''))`;
  const script = [
    `rm -f '${sockets}/ready' '${sockets}/model.sock'`,
    'OPENCODE_SERVER_PASSWORD="$2" node -e "$1" serve & server=$!',
    `until test -e '${sockets}/ready'; do sleep 0.02; done`,
    'command=$3; shift 3; "$@" /bin/sh -c "$command"; kill $server',
  ];
  return ['-c', script.join('\n'), 'sh', server, secret, command, ...beside];
}

function plainly(victim: Victim): Promise<Runner> {
  const options = { cwd: victim.worktree, env: environment(victim) };
  return Promise.resolve(({ area, command }) =>
    printedBy('/bin/sh', area === agentServer ? besideServer(command, victim, []) : ['-c', command], options),
  );
}

function environment(victim: Victim): Record<string, string> {
  return commandEnvironment({ ...process.env, HOME: victim.home });
}

/** Answers what an attack printed. */
type Runner = (attack: Attack) => Promise<string>;

/** Undefined if it didn't escape. */
type Outcome = string | undefined;

/** What one attack changed doesn't count for the next. */
async function tryAttacks(
  attacks: readonly Attack[],
  victim: Victim,
  run: Runner,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const attack of attacks) {
    const before = victim.fingerprint();
    victim.connections();
    const printed = await run({ ...attack, command: commandOn(victim, attack) });
    // What is left in a sandbox ends a moment after the sandbox.
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

/** It ends after a minute. */
function printedBy(
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
