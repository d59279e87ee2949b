import { join } from 'node:path';
import { commandSandbox } from '../../../src/adapters/opencode/sandbox/sandboxedServer.ts';
import { findSandbox } from '../../../src/adapters/sandbox/findSandbox.ts';
import type { Box } from '../../../src/engine/ports/sandboxPort.ts';
import { commandEnvironment } from '../../../src/adapters/system/commandEnvironment.ts';
import { agentServer, type Attack, attacksOn, commandLine, serverPorts } from './attacks.ts';
import { type Outcome, printedBy, type Runner, tryAttacks } from './tryAttacks.ts';
import { secret, Victim } from './victim.ts';

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
  const wanted = areas.filter((area) =>
    attacksOn(probe).some((attack) => attack.area === area && chosen(attack)),
  );
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
  'read the home folder',
  'read the system',
  'write outside',
  'other tickets',
  'git',
  'what the engine trusts',
  commandLine,
  'network',
  'processes',
  agentServer,
  'keyrings',
  'set-user-id bits',
  'the kernel',
];

/** The box of a command and of a coding agent alike: without a network. */
export async function inBox(victim: Victim): Promise<Runner> {
  const sandbox = await findSandbox('require', { commonDir: join(victim.repository, '.git') });
  // The first box of a repository writes the filter of all.
  await sandbox.wrap({ program: '/bin/true', args: [], env: {} }, commandsBox(victim));
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
            ...commandsBox(victim),
            domain: 'coding',
            readWrite: Object.values(places),
            folder: join(victim.server, 'box'),
            holdsBoxes: true,
          }
        : commandsBox(victim),
    );
    return printedBy(program, args, { cwd: victim.worktree, env });
  };
}

function commandsBox({ worktree, root }: Victim): Box {
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

/**
 * Arguments for a shell that runs a command beside what stands for a server: a program with a password that
 * answers at the ports and the socket of one.
 */
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

/** Without any box, as commands ran before there was one. */
function plainly(victim: Victim): Promise<Runner> {
  const options = { cwd: victim.worktree, env: environment(victim) };
  return Promise.resolve(({ area, command }) =>
    printedBy('/bin/sh', area === agentServer ? besideServer(command, victim, []) : ['-c', command], options),
  );
}

function environment(victim: Victim): Record<string, string> {
  return commandEnvironment({ ...process.env, HOME: victim.home });
}
