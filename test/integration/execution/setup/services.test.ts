import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { stringify } from 'yaml';
import { systemClock } from '../../../../src/adapters/clock/systemClock.ts';
import { RunningCommands } from '../../../../src/adapters/process/runningCommands.ts';
import { Shell } from '../../../../src/adapters/process/shell.ts';
import { failureBehind } from '../../../../src/domain/beads/failure.ts';
import type { Service } from '../../../../src/domain/environment/services.ts';
import { Runner } from '../../../../src/engine/drive/runner.ts';
import { cancel } from '../../../../src/phases/cancel.ts';
import { coding } from '../../../../src/phases/coding/coding.ts';
import { finalTest } from '../../../../src/phases/finalTest/finalTest.ts';
import { prepareEnvironment } from '../../../../src/phases/setup/prepareEnvironment.ts';
import { behaviourOf } from '../../../support/engine/engineWorld.ts';
import {
  type ExecutionWorld,
  executionWorlds,
  report,
  testSetupPlan,
} from '../../../support/engine/executionWorld.ts';
import { tempFolders } from '../../../support/git/tempRepository.ts';
import { reservationIn } from '../../../support/fakes/fakeWorkplace.ts';

/** What greet.txt said when it was started, as a database answers with its schema. */
const server = [
  "const { appendFileSync, existsSync, readFileSync } = require('node:fs');",
  "const text = existsSync('greet.txt') ? readFileSync('greet.txt', 'utf8') : 'nothing';",
  "appendFileSync(process.env.TMPDIR + '/../starts', text.trim() + '\\n');",
  "appendFileSync('data.rdb', 'written beside the sources');",
  "require('node:net').createServer((socket) => socket.end(text)).listen(process.env.BEADSMITH_PORT_BASE, '127.0.0.1');",
].join('\n');
const client = [
  "const socket = require('node:net').connect(process.env.BEADSMITH_PORT_BASE, '127.0.0.1');",
  "let said = '';",
  "socket.on('data', (piece) => (said += piece));",
  "socket.on('end', () => process.exit(process.argv[2] && !said.includes(process.argv[2]) ? 1 : 0));",
  "socket.on('error', () => process.exit(1));",
].join('\n');
const files = { 'server.js': server, 'client.js': client };
const database = {
  name: 'database',
  start: 'node server.js',
  ready: 'node client.js',
  ready_timeout_seconds: 20,
  stop: '',
};

describe('services of a ticket', () => {
  const newWorld = executionWorlds();
  const newFolder = tempFolders();

  async function prepared(
    world: ExecutionWorld,
    services: readonly Partial<Service>[],
    options: Parameters<ExecutionWorld['begin']>[1] = {},
    plan: Readonly<Record<string, unknown>> = {},
  ): Promise<void> {
    world.runner = new Shell({ clock: systemClock, environment: process.env });
    Object.assign(world, { clock: systemClock });
    world.workplace.reservation = reservationIn(join(world.repository.root, '..'), await freePort());
    await world.begin('PREPARING_EXECUTION_ENV', {
      limits: { maxIterations: 1, maxContinuations: 0 },
      ...options,
    });
    await world.put(
      'execution_setup_plan',
      stringify({ ...testSetupPlan(), services, ...plan }),
      'GENERATING_EXECUTION_SETUP_PLAN',
    );
    await world.drive({ prepareEnvironment });
  }

  const isReachable = (world: ExecutionWorld): Promise<boolean> =>
    reaches(world.workplace.reservation?.portBase ?? 0);
  /** Beside the temporary folders of ticket and proofs. */
  const temporary = (world: ExecutionWorld, name: string): string =>
    join(world.workplace.reservation?.temporary ?? '', '..', name);

  it('are started from each tree that is tested, with the ports and the folder of the ticket, and end', async () => {
    const world = await newWorld(files);
    const testCommands = ['node client.js hello'];
    await prepared(
      world,
      [database],
      { beads: [{ testCommands }] },
      { project_commands: { test_full: ['node client.js'] } },
    );
    await world.isIn('CODING');
    assert.equal(await isReachable(world), false);
    world.answers({
      coding: world.writing({ 'greet.txt': 'hello\n' }),
      'final-test':
        '<FINAL_TEST_COMMANDS>\nsummary: Greets.\ncommands: ["node client.js hello"]\n</FINAL_TEST_COMMANDS>',
    });
    await world.drive({ coding });
    assert.equal((await world.bead('greet')).status, 'done', JSON.stringify((await world.read()).error));
    assert.equal(await isReachable(world), false);
    await world.drive({ finalTest }, 'INTEGRATING_CHANGES');
    assert.equal(await isReachable(world), false);
    const starts = readFileSync(temporary(world, 'starts'), 'utf8').trim().split('\n');
    // The worktree, the fresh checkout, the base; the commit of the bead, the base without it; then the final
    // test.
    assert.deepEqual(starts.slice(0, 5), ['nothing', 'nothing', 'nothing', 'hello', 'nothing']);
    const evidence = (await world.json('commit_evidence:greet')) as {
      environment: { services?: readonly Service[] };
    };
    assert.deepEqual(evidence.environment.services, [database]);
  });

  it('may be left running by their start command, and end by their stop command and with everything they started', async () => {
    const world = await newWorld(files);
    const daemon = {
      ...database,
      start: 'setsid node server.js >/dev/null 2>&1 &',
      stop: 'echo stopped >> "$TMPDIR/../stops"',
    };
    await prepared(world, [daemon], { beads: [{}] });
    await world.isIn('CODING');
    assert.equal(await isReachable(world), false);
    // Before and after each tree: what a killed process left would be in the way.
    assert.equal(readFileSync(temporary(world, 'stops'), 'utf8'), 'stopped\n'.repeat(4));
  });

  it('that are not ready in time fail the setup by name, with their last lines and the limit', async () => {
    const world = await newWorld(files);
    const slow = {
      ...database,
      start: 'echo waiting for a license; exec sleep 60',
      ready_timeout_seconds: 1,
    };
    await prepared(world, [slow]);
    const { error } = await world.read();
    assert.equal(error?.code, 'SETUP_FAILED');
    const failure = failureBehind(error.diagnostics);
    assert.deepEqual(
      [failure?.cause, failure?.args['service'], failure?.args['seconds']],
      ['service_not_ready', 'database', 1],
    );
    assert.match(failure?.output ?? '', /waiting for a license/);
    assert.match(String(error.args['reason']), /service database .*1 s/);
    const { attempts } = (await world.json('execution_setup_report')) as { attempts: { problem: string }[] };
    assert.match(
      attempts[0]?.problem ?? '',
      /`database` wasn't ready after 1\.\d s.*ready_timeout_seconds in the setup plan allows 1 s/,
    );
  });

  it('that end before they are ready fail with their exit code, and the others end', async () => {
    const world = await newWorld(files);
    const broken = { ...database, name: 'cache', start: 'echo no such cluster >&2; exit 3', ready: 'false' };
    await prepared(world, [database, broken]);
    const { error } = await world.read();
    const failure = failureBehind(error?.diagnostics ?? {});
    assert.deepEqual(
      [failure?.cause, failure?.args['service'], failure?.args['exit']],
      ['service_ended', 'cache', 3],
    );
    assert.match(failure?.output ?? '', /no such cluster/);
    assert.equal(await isReachable(world), false);
  });

  it('that the work breaks fail its iteration, and the coder is told which', async () => {
    const world = await newWorld(files);
    await prepared(world, [{ ...database, ready_timeout_seconds: 5 }], {
      beads: [{ testCommands: ['node client.js hello'] }],
    });
    world.answers({
      coding: () => {
        world.write('greet.txt', 'hello\n');
        world.write('server.js', "throw new Error('broken by the work');\n");
        return report('greet');
      },
    });
    await world.drive({ coding });
    const { failures } = (await world.json('bead_failures:greet')) as {
      failures: { failure: { cause: string; output: string } }[];
    };
    assert.equal(failures[0]?.failure.cause, 'service_ended');
    assert.match(failures[0].failure.output, /broken by the work/);
    assert.match(
      world.agent.calls.find(({ task }) => task === 'coding-note')?.whole ?? '',
      /The service `database` can't be started/,
    );
  });

  it('that live elsewhere get their stop command when the ticket is canceled', async () => {
    const world = await newWorld(files);
    await prepared(world, [{ ...database, stop: 'touch "$TMPDIR/../stopped"' }], { beads: [{}] });
    rmSync(temporary(world, 'stopped'));
    await world.post('cancel', { reason: '', deleteWorktree: false });
    await new Runner(world.ports, behaviourOf({}, { prepared: { cancel } }), world.ticket).run();
    await world.isIn('CANCELED');
    assert.ok(existsSync(temporary(world, 'stopped')));
  });

  it('of a killed process end when the next one starts', async () => {
    const folder = await newFolder();
    const port = await freePort();
    writeFileSync(join(folder, 'server.js'), server);
    writeFileSync(join(folder, 'client.js'), client);
    writeFileSync(
      join(folder, 'run'),
      `#!/bin/sh\nexport TMPDIR='${folder}' BEADSMITH_PORT_BASE=${String(port)}\nexec "$@"\n`,
      {
        mode: 0o755,
      },
    );
    const source = (path: string): string =>
      JSON.stringify(pathToFileURL(join(import.meta.dirname, '../../../../src', path)).href);
    const driver = [
      `import { Shell } from ${source('adapters/process/shell.ts')};`,
      `import { RunningCommands } from ${source('adapters/process/runningCommands.ts')};`,
      `import { systemClock as clock } from ${source('adapters/clock/systemClock.ts')};`,
      `import { startServices } from ${source('phases/shared/worktree/services.ts')};`,
      `const folder = ${JSON.stringify(folder)};`,
      `const shell = new Shell({ clock, environment: process.env, running: new RunningCommands(folder + '/commands') });`,
      `const place = { cwd: folder, wrapper: folder + '/run', allowed: { variables: [], files: [] } };`,
      `const { failed } = await startServices({ process: shell, clock }, [${JSON.stringify(database)}], place);`,
      `console.log(failed ? JSON.stringify(failed) : 'ready');`,
    ].join('\n');
    const child = spawn(process.execPath, ['--input-type=module', '-e', driver], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [said] = (await once(child.stdout, 'data')) as [Buffer];
    assert.equal(said.toString(), 'ready\n');
    child.kill('SIGKILL');
    await once(child, 'exit');
    assert.equal(await reaches(port), true);
    await new RunningCommands(join(folder, 'commands')).endAll();
    assert.equal(await reaches(port), false);
  });

  it('change nothing where there are none', async () => {
    const world = await newWorld(files);
    await prepared(world, [], { beads: [{}] });
    world.answersGreeting();
    await world.drive({ coding });
    assert.equal((await world.bead('greet')).status, 'done', JSON.stringify((await world.read()).error));
    assert.equal(existsSync(temporary(world, 'starts')), false);
    const evidence = (await world.json('commit_evidence:greet')) as { environment: object };
    assert.equal('services' in evidence.environment, false);
  });
});

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}

function reaches(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
