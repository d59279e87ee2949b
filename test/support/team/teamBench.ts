import { join } from 'node:path';
import { writeFile } from 'node:fs/promises';
import type { QueryResultRow } from 'pg';
import { openTeam, type TeamTickets } from '../../../src/app/team.ts';
import { openTeamDevices, prepareTeam } from '../../../src/app/teamDevices.ts';
import { gateAnswer, parseGates } from '../../../src/cli/drive/gatePolicy.ts';
import { providerConfig } from '../../../src/demo/providerConfig.ts';
import type { ModelScript } from '../../../src/demo/script/modelScript.ts';
import { startScriptedServer, type ScriptedServer } from '../../../src/demo/scriptedServer.ts';
import { Limits, Settings } from '../../../src/domain/settings/settings.ts';
import type { Ticket } from '../../../src/domain/ticket/ticket.ts';
import { Person } from '../../demo/forgePeople.ts';
import { CliProcess, type CliResult, runCli } from '../cliProcess.ts';
import type { ForgeStandIn } from '../forge/forgeStandIn.ts';
import { tempRepository, type TempRepository } from '../git/tempRepository.ts';
import { tempFolder, type TempFolder } from '../tempFolder.ts';
import { until } from '../until.ts';
import { askDatabase } from './askDatabase.ts';

const files = { 'package.json': '{ "name": "sample", "type": "module" }\n' };
const policy = { approve: parseGates('all'), answers: undefined, skipInterview: true, end: 'close' } as const;
/** Milliseconds after which its runners count as gone. */
export const silentMs = 3_000;

/** A team with a repository, a person's device, scripted models, and runners of their own processes. */
export class TeamBench {
  readonly runners: CliProcess[] = [];
  /** More for runners that are started from now on. */
  env: Readonly<Record<string, string>>;
  /** What they run instead of this build. */
  program: string | undefined;
  readonly tickets: TeamTickets;
  readonly repository: TempRepository;
  /** The bare repository that the runners clone. */
  readonly remote: string;
  readonly #folder: TempFolder;
  readonly #url: string;
  readonly #model: ScriptedServer;
  readonly #play: { script?: ModelScript };

  private constructor(
    parts: Pick<TeamBench, 'tickets' | 'repository' | 'remote'> & {
      readonly folder: TempFolder;
      readonly url: string;
      readonly model: ScriptedServer;
      readonly play: { script?: ModelScript };
      readonly env: Readonly<Record<string, string>>;
    },
  ) {
    this.tickets = parts.tickets;
    this.repository = parts.repository;
    this.remote = parts.remote;
    this.#folder = parts.folder;
    this.#url = parts.url;
    this.#model = parts.model;
    this.#play = parts.play;
    this.env = parts.env;
  }

  /**
   * `script`: what the models say, else a generic answer. `latencyMs`: before the first word of each.
   * `forge`: has the repository as `octo/sample`.
   */
  static async open(
    url: string,
    script?: ModelScript,
    latencyMs = 0,
    forge?: ForgeStandIn,
  ): Promise<TeamBench> {
    const folder = tempFolder('team');
    const repository = await tempRepository({ files });
    const signedIn: Readonly<Record<string, string>> = forge
      ? new Person(join(folder.path, 'home'), forge).env
      : {};
    const remote = forge ? await onForge(repository, forge) : await repository.addOrigin();
    const play = { latencyMs, ...(script && { script }) };
    const model = await startScriptedServer(play);
    const config = join(folder.path, 'opencode.json');
    await writeFile(config, JSON.stringify(providerConfig(model.url)));
    const env = { ...process.env, ...signedIn, XDG_CONFIG_HOME: folder.path };
    await prepareTeam(url);
    const devices = await openTeamDevices({ url, env });
    await devices.found();
    await devices.close();
    const team = openTeam({ url, env, decisions: { decide: () => Promise.resolve() } });
    const tickets = await team.openHere(repository.root, { make: true });
    return new TeamBench({ folder, repository, remote, model, play, url, tickets, env: signedIn });
  }

  /** Of a runner: its clones, and its configuration. */
  folderOf(name: string): string {
    return join(this.#folder.path, name);
  }

  /** A runner with clones of its own. `options`: also for its command. */
  run(name: string, ...options: readonly string[]): Promise<CliProcess> {
    return this.runAt(this.#url, name, ...options);
  }

  /** `url`: its way to the database. */
  async runAt(url: string, name: string, ...options: readonly string[]): Promise<CliProcess> {
    const folder = this.folderOf(name);
    const runner = new CliProcess(
      ['runner', '--team', url, '--folder', folder, ...this.driving, ...options, '--json'],
      {
        cwd: this.#folder.path,
        env: { XDG_CONFIG_HOME: folder, BEADSMITH_RUNNER_SILENT_MS: String(silentMs), ...this.env },
        alone: true,
        ...(this.program !== undefined && { program: this.program }),
      },
    );
    this.runners.push(runner);
    await until(
      () => /is ready/.test(runner.stdout) || runner.child.exitCode !== null,
      'the runner is ready',
      200_000,
    );
    if (runner.child.exitCode !== null) throw new Error(runner.stdout + runner.stderr);
    return runner;
  }

  /** A command of the person in their own repository. */
  cli(...args: readonly string[]): Promise<CliResult> {
    return runCli(args, this.terminal());
  }

  /** In the person's own repository. `name`: of another person, whose device is another one. */
  terminal(name?: string): { readonly cwd: string; readonly env: Readonly<Record<string, string>> } {
    const folder = name === undefined ? this.#folder.path : this.folderOf(name);
    return { cwd: this.repository.root, env: { XDG_CONFIG_HOME: folder, BEADSMITH_TEAM: this.#url } };
  }

  /** As options of a command that drives. */
  get driving(): readonly string[] {
    const opencode = process.env['BEADSMITH_OPENCODE'];
    const config = ['--opencode-config', join(this.#folder.path, 'opencode.json')];
    return opencode === undefined ? config : [...config, '--opencode', opencode];
  }

  /** The output of a command on the team. */
  async printed(...words: readonly string[]): Promise<string> {
    const env = { XDG_CONFIG_HOME: this.#folder.path };
    const place = { cwd: this.#folder.path, env, alone: true };
    const { stdout } = await new CliProcess([...words, '--team', this.#url, '--json'], place).ended;
    return stdout;
  }

  /** From now on, the models say this. */
  follow(script: ModelScript): void {
    this.#play.script = script;
  }

  /** From now on, answers are generic. */
  forgetScript(): void {
    delete this.#play.script;
  }

  async start(title: string): Promise<string> {
    const { id } = await this.tickets.client.create({ title });
    const alpha = 'scripted/alpha';
    await this.tickets.client.act(id, 'start', {
      settings: Settings.parse({ depth: 'quick', mainImplementer: alpha, councilMembers: [alpha] }),
      limits: Limits.parse({}),
    });
    return id;
  }

  async ticket(id: string): Promise<Ticket> {
    return (await this.tickets.client.ticket(id)).ticket;
  }

  /** Answers at every gate until the ticket has this status. */
  async driveTo(id: string, status: Ticket['status'], ms = 300_000): Promise<void> {
    await this.driveUntil(id, (ticket) => ticket.status === status, { what: `${id} is ${status}`, ms });
  }

  /** Answers at every gate until `look` answers something; a blocked ticket is an error. */
  driveUntil<T>(
    id: string,
    look: (ticket: Ticket) => T | Promise<T>,
    { what, ms = 120_000 }: { readonly what: string; readonly ms?: number },
  ): ReturnType<typeof until<T>> {
    const given = new Set<string>();
    const seen = async (): Promise<T | undefined> => {
      const detail = await this.tickets.client.ticket(id);
      const found = await look(detail.ticket);
      if (found !== false && found !== undefined && found !== null) return found;
      if (detail.ticket.status === 'BLOCKED_ERROR') throw new Error(JSON.stringify(detail.error));
      const answer = await gateAnswer(this.tickets.client, detail, policy).catch(() => undefined);
      const key = `${detail.ticket.status} ${JSON.stringify(answer?.body)}`;
      if (!answer || given.has(key)) return undefined;
      given.add(key);
      // The ticket may have moved since it was read.
      await this.tickets.client.act(id, answer.kind, answer.body).catch(() => given.delete(key));
      return undefined;
    };
    return until(seen, what, ms) as ReturnType<typeof until<T>>;
  }

  query<T extends QueryResultRow>(sql: string): Promise<readonly T[]> {
    return askDatabase<T>(this.#url, sql);
  }

  /** A code that adds a device of a reviewer. */
  async pairingCode(person: string): Promise<string> {
    const devices = await openTeamDevices({ url: this.#url, env: process.env });
    try {
      return (await devices.pair({ person, role: 'reviewer' })).code;
    } finally {
      await devices.close();
    }
  }

  /** Of the repository's tables. */
  async schema(): Promise<string> {
    const [row] = await this.query<{ id: string }>(
      `SELECT id FROM beadsmith.repositories WHERE name = '${this.tickets.client.repository.name}'`,
    );
    return `beadsmith_${row?.id ?? ''}`;
  }

  /** The sessions of calls that have a receipt now. */
  async receipts(): Promise<{ readonly at: string; readonly sessions: ReadonlySet<string> }> {
    const schema = await this.schema();
    const rows = await this.query<{ session: string }>(
      `SELECT DISTINCT calls.session FROM ${schema}.calls
        JOIN ${schema}.steps ON steps.run = calls.run AND steps.state = 'done'`,
    );
    return { at: new Date().toISOString(), sessions: new Set(rows.map(({ session }) => session)) };
  }

  get requests(): ScriptedServer['requests'] {
    return this.#model.requests;
  }

  async claims(ticket: string): Promise<readonly { readonly runner: string; readonly epoch: number }[]> {
    return this.query(
      `SELECT runner, epoch::int FROM ${await this.schema()}.claims WHERE ticket = '${ticket}'`,
    );
  }

  said(): string {
    return this.runners.map(({ stdout, stderr }, at) => `runner ${at}:\n${stdout}\n${stderr}`).join('\n');
  }

  async close(): Promise<void> {
    for (const { child } of this.runners) {
      child.kill('SIGCONT');
      child.kill('SIGTERM');
    }
    await Promise.all(this.runners.map(({ ended }) => ended));
    await this.tickets.close();
    await this.#model.close();
    await this.repository.remove();
    this.#folder.remove();
  }
}

/** Answers the bare repository there. */
async function onForge(repository: TempRepository, forge: ForgeStandIn): Promise<string> {
  const { git } = forge.addRepository('octo/sample');
  await repository.git('remote', 'add', 'origin', forge.addressOf('octo/sample'));
  await repository.git('push', '--quiet', git, 'main');
  return git;
}
