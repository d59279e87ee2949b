import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startLocalServer, type LocalServer } from '../../src/adapters/store/postgres/localServer.ts';
import { locations } from '../../src/app/locations.ts';
import { gateAnswer, parseGates } from '../../src/cli/drive/gatePolicy.ts';
import { pushedBranchRef, TicketId } from '../../src/domain/core/ids.ts';
import type { CliProcess } from '../support/cliProcess.ts';
import { tempFolder } from '../support/tempFolder.ts';
import { TeamBench } from '../support/team/teamBench.ts';
import { repeated, type Snapshot } from './findings.ts';
import { randomOf } from './random.ts';

const policy = { approve: parseGates('all'), answers: undefined, skipInterview: true, end: 'close' } as const;
const title = 'Greet by name';
const longestMs = 3_600_000;

/**
 * `npm run soak -- --team [--tickets 100] [--runners 4] [--kills 20] [--server-kills 2] [--seed 1]`: drives
 * tickets of a team by several runners, kills runners and PostgreSQL at times drawn from the seed, and
 * compares: every decision is carried out, no prompt with a receipt is sent again, and every branch has the
 * tree of an undisturbed run. Prints how much faster several runners are than one.
 */
export async function soakTeam(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      team: { type: 'boolean' },
      tickets: { type: 'string', default: '100' },
      runners: { type: 'string', default: '4' },
      kills: { type: 'string', default: '20' },
      'server-kills': { type: 'string', default: '2' },
      seed: { type: 'string', default: '1' },
      latency: { type: 'string', default: '4000' },
      batch: { type: 'string', default: '4' },
      keep: { type: 'boolean', default: false },
    },
  });
  const soak = await TeamSoak.open(Number(values.latency));
  try {
    const runners = Number(values.runners);
    const alone = await soak.measure(1, Number(values.batch));
    const together = await soak.measure(runners, Number(values.batch));
    console.log(
      `${values.batch} tickets: ${seconds(alone.ms)} by one runner, ${seconds(together.ms)} by ${String(runners)}: ${(alone.ms / together.ms).toFixed(2)} times as fast`,
    );
    const problems = await soak.disturb({
      tickets: Number(values.tickets),
      runners,
      kills: Number(values.kills),
      serverKills: Number(values['server-kills']),
      tree: alone.tree,
      random: randomOf(Number(values.seed)),
    });
    for (const problem of problems) console.log(`  ✘ ${problem}`);
    console.log(
      problems.length === 0
        ? 'Nothing was lost and nothing was done twice.'
        : `${String(problems.length)} things went wrong.`,
    );
    return problems.length === 0 ? 0 : 1;
  } catch (error) {
    console.log(soak.bench.said().slice(-8_000));
    throw error;
  } finally {
    if (values.keep) console.log(`kept: ${soak.folder}`);
    else await soak.close();
  }
}

interface Disturbance {
  readonly tickets: number;
  readonly runners: number;
  readonly kills: number;
  readonly serverKills: number;
  readonly tree: string;
  readonly random: () => number;
}

class TeamSoak {
  readonly bench: TeamBench;
  readonly folder: string;
  readonly #decided: string[] = [];
  readonly #given = new Set<string>();
  #server: LocalServer;
  #names = 0;

  private constructor(bench: TeamBench, folder: string, server: LocalServer) {
    this.bench = bench;
    this.folder = folder;
    this.#server = server;
  }

  static async open(latencyMs: number): Promise<TeamSoak> {
    const { path } = tempFolder('team-soak');
    const server = await startLocalServer({ folder: join(path, 'postgres'), worker: locations.teamWorker });
    return new TeamSoak(await TeamBench.open(server.url, undefined, latencyMs), path, server);
  }

  /** Milliseconds in which so many runners complete so many tickets, and the tree of each. */
  async measure(runners: number, tickets: number): Promise<{ readonly ms: number; readonly tree: string }> {
    const processes = await this.#run(runners);
    const ids = await this.#start(tickets);
    const began = performance.now();
    await this.#drive(ids);
    const ms = performance.now() - began;
    const [tree = '', ...others] = [...new Set(ids.map((id) => this.#tree(id)))];
    if (others.length > 0)
      throw new Error(`Undisturbed tickets have several trees: ${[tree, ...others].join()}`);
    await Promise.all(processes.map((one) => stop(one)));
    return { ms, tree };
  }

  /** Returns what went wrong, a sentence each. */
  async disturb({ tickets, runners, kills, serverKills, tree, random }: Disturbance): Promise<string[]> {
    const processes = await this.#run(runners);
    const ids = await this.#start(tickets);
    const snapshots: Snapshot[] = [];
    const over = new AbortController();
    const began = performance.now();
    const disturbing = (async () => {
      const all = kills + serverKills;
      for (let done = 0; done < all; done++) {
        await pause(3_000 + random() * 7_000);
        if (over.signal.aborted) break;
        // Spread over the kills of runners.
        if (done % Math.ceil(all / Math.max(1, serverKills)) === 1 && serverKills > 0) {
          await this.#killServer();
          console.log(`${seconds(performance.now() - began)}: PostgreSQL was killed, and is back`);
          continue;
        }
        const index = Math.floor(random() * processes.length);
        const victim = processes[index];
        victim?.child.kill('SIGKILL');
        await victim?.ended;
        snapshots.push(await this.#snapshot());
        const [next] = await this.#run(1);
        if (next) processes[index] = next;
        console.log(
          `${seconds(performance.now() - began)}: runner ${String(index + 1)} was killed and replaced`,
        );
      }
    })();
    await this.#drive(ids);
    over.abort();
    await disturbing;
    // A probe has the same text for every ticket.
    const prompts = this.bench.requests.filter(({ task }) => task !== 'capability-probe');
    const problems = repeated(prompts, snapshots);
    for (const id of ids) {
      const found = this.#tree(id);
      if (found !== tree) problems.push(`${id}: the tree ${found} differs from ${tree}`);
    }
    const pending = await this.bench.query<{ id: string }>(
      `SELECT id FROM beadsmith_1.inbox WHERE state = 'pending'`,
    );
    problems.push(...pending.map(({ id }) => `the decision ${id} was never carried out`));
    const known = new Set(
      (await this.bench.query<{ id: string }>('SELECT id FROM beadsmith_1.inbox')).map(({ id }) => id),
    );
    problems.push(...this.#decided.filter((id) => !known.has(id)).map((id) => `the decision ${id} was lost`));
    console.log(
      `${String(tickets)} tickets, ${String(snapshots.length)} kills of runners, ${String(serverKills)} of PostgreSQL, ${String(this.#decided.length)} decisions: ${seconds(performance.now() - began)}`,
    );
    await Promise.all(processes.map((one) => stop(one)));
    return problems;
  }

  async close(): Promise<void> {
    await this.bench.close();
    await this.#server.stop();
  }

  #run(count: number): Promise<CliProcess[]> {
    return Promise.all(
      Array.from({ length: count }, () => this.bench.run(`runner-${String((this.#names += 1))}`)),
    );
  }

  async #start(count: number): Promise<readonly string[]> {
    const ids: string[] = [];
    for (let n = 0; n < count; n++) ids.push(await this.bench.start(title));
    return ids;
  }

  /** A person's decisions, as the tickets ask for them. */
  async #drive(ids: readonly string[]): Promise<void> {
    const { client } = this.bench.tickets;
    const open = new Set(ids);
    const deadline = performance.now() + longestMs;
    while (open.size > 0) {
      if (performance.now() > deadline) throw new Error(`${String(open.size)} tickets didn't end.`);
      await pause(500);
      const views = await client.tickets([...open]).catch(() => []);
      for (const view of views) {
        if (view.status === 'COMPLETED') open.delete(view.id);
        if (view.status === 'BLOCKED_ERROR')
          throw new Error(`${view.id} is blocked: ${JSON.stringify(view)}`);
        // The database may be away, or the ticket have moved: asked again in a moment.
        if (view.needsPerson) await this.#decide(view.id).catch(() => undefined);
      }
    }
  }

  async #decide(id: string): Promise<void> {
    const { client } = this.bench.tickets;
    const detail = await client.ticket(id);
    const answer = await gateAnswer(client, detail, policy);
    const key = `${id} ${detail.ticket.status} ${JSON.stringify(answer?.body)}`;
    if (!answer || this.#given.has(key)) return;
    const filed = await client.act(id, answer.kind, answer.body);
    this.#given.add(key);
    this.#decided.push(typeof filed === 'string' ? filed : filed.id);
  }

  async #snapshot(): Promise<Snapshot> {
    const rows = await this.bench.query<{ session: string }>(
      `SELECT DISTINCT calls.session FROM beadsmith_1.calls
        JOIN beadsmith_1.steps ON steps.run = calls.run AND steps.state = 'done'`,
    );
    return { at: new Date().toISOString(), sessions: new Set(rows.map(({ session }) => session)) };
  }

  async #killServer(): Promise<void> {
    process.kill(this.#server.pid, 'SIGKILL');
    await this.#server.ended;
    for (;;) {
      try {
        this.#server = await startLocalServer({
          folder: join(this.folder, 'postgres'),
          worker: locations.teamWorker,
        });
        return;
      } catch {
        // Its children hold the memory for a moment.
        await pause(200);
      }
    }
  }

  /**
   * The files of the ticket's branch on the remote. The scripted model's final test has a ticket's number.
   */
  #tree(id: string): string {
    const git = (...args: readonly string[]): string =>
      execFileSync('git', ['-C', this.bench.remote, ...args], { encoding: 'utf8' });
    const tip = pushedBranchRef(TicketId.parse(id));
    const files = git('ls-tree', '-r', '--name-only', tip).trim().split('\n');
    const text = files.map((file) => `${file}\n${git('show', `${tip}:${file}`)}`).join('\n');
    return hash('sha256', text.replaceAll(/\b[0-9a-f]{8}\b/g, 'NUMBER')).slice(0, 12);
  }
}

async function stop({ child, ended }: CliProcess): Promise<void> {
  child.kill('SIGTERM');
  await ended;
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
