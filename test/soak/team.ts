import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startLocalServer, type LocalServer } from '../../src/adapters/store/postgres/localServer.ts';
import { locations } from '../../src/app/locations.ts';
import { gateAnswer, parseGates } from '../../src/cli/drive/gatePolicy.ts';
import type { CliProcess } from '../support/cliProcess.ts';
import { tempFolder } from '../support/tempFolder.ts';
import { until } from '../support/until.ts';
import { silentMs, TeamBench } from '../support/team/teamBench.ts';
import { quantileOf } from '../bench/measurement.ts';
import { repeated, type Snapshot } from './findings.ts';
import { randomOf } from '../support/randomOf.ts';
import { lostDecisions, treeOf, untestedTrees } from './teamFindings.ts';
import { type Killed, killedRunner, recordClaims, teamTimes } from './teamTimes.ts';

const policy = { approve: parseGates('all'), answers: undefined, skipInterview: true, end: 'close' } as const;
const title = 'Greet by name';
const longestMs = 3_600_000;

/**
 * `npm run soak -- --team [--tickets 100] [--runners 4] [--kills 20] [--server-kills 2] [--seed 1]
 * [--batch 8]`: drives tickets of a team by several runners, kills runners and PostgreSQL at times drawn from
 * the seed, and compares: every decision is carried out, no prompt with a receipt is sent again, checks
 * passed on the tree of each commit, and every branch has the tree of an undisturbed run. Also compares
 * several runners with one on a batch of tickets, and prints how fast tickets start, and are taken over from
 * killed runners.
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
      batch: { type: 'string', default: '8' },
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
    const late = await soak.recover(runners);
    const problems = await soak.disturb({
      tickets: Number(values.tickets),
      runners,
      kills: Number(values.kills),
      serverKills: Number(values['server-kills']),
      tree: alone.tree,
      random: randomOf(Number(values.seed)),
    });
    const all = [...late, ...problems];
    for (const problem of all) console.log(`  ✘ ${problem}`);
    console.log(
      all.length === 0
        ? 'Nothing was lost and nothing was done twice.'
        : `${String(all.length)} things went wrong.`,
    );
    return all.length === 0 ? 0 : 1;
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
  #retried = 0;
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
    const bench = await TeamBench.open(server.url, undefined, latencyMs);
    await recordClaims(bench);
    return new TeamSoak(bench, path, server);
  }

  /** Milliseconds in which so many runners complete so many tickets, and the tree of each. */
  async measure(runners: number, tickets: number): Promise<{ readonly ms: number; readonly tree: string }> {
    const processes = await this.#run(runners);
    const ids = await this.#start(tickets);
    const began = performance.now();
    await this.#drive(ids);
    const ms = performance.now() - began;
    const [tree = '', ...others] = [...new Set(ids.map((id) => treeOf(this.bench, id)))];
    if (others.length > 0)
      throw new Error(`Undisturbed tickets have several trees: ${[tree, ...others].join()}`);
    await Promise.all(processes.map((one) => stop(one)));
    return { ms, tree };
  }

  /** Kills a runner while others have room for its tickets. Returns what took too long, a sentence each. */
  async recover(runners: number): Promise<string[]> {
    const processes = await this.#run(runners);
    const ids = await this.#start(runners);
    const [busiest] = await until(async () => {
      const claims = await this.bench.query<{ runner: string }>(
        `SELECT runner FROM beadsmith_1.claims WHERE runner <> '' GROUP BY runner ORDER BY count(*) DESC`,
      );
      return claims.length > 0 && claims;
    }, 'a runner has tickets');
    const victim = processes.find((one) => idOf(one) === busiest?.runner);
    victim?.child.kill('SIGKILL');
    await victim?.ended;
    const killed = await killedRunner(this.bench, busiest?.runner ?? '', silentMs);
    await this.#drive(ids);
    const { recovered } = await teamTimes(this.bench, [killed]);
    await Promise.all(processes.map((one) => stop(one)));
    return slower([
      {
        what: `${String(killed.tickets.length)} tickets of a silent runner were taken over`,
        ms: quantileOf(recovered, 1),
        atMost: 3_000,
      },
    ]);
  }

  /** Returns what went wrong, a sentence each. */
  async disturb({ tickets, runners, kills, serverKills, tree, random }: Disturbance): Promise<string[]> {
    const processes = await this.#run(runners);
    const ids = await this.#start(tickets);
    const snapshots: Snapshot[] = [];
    const killed: Killed[] = [];
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
        killed.push(await killedRunner(this.bench, victim ? idOf(victim) : '', silentMs));
        snapshots.push(await this.bench.receipts());
        const [next] = await this.#run(1);
        if (next) processes[index] = next;
        console.log(
          `${seconds(performance.now() - began)}: runner ${String(index + 1)} was killed and replaced`,
        );
      }
    })();
    await Promise.all([this.#drive(ids).finally(() => over.abort()), disturbing]);
    // A probe has the same text for every ticket.
    const prompts = this.bench.requests.filter(({ task }) => task !== 'capability-probe');
    const problems = repeated(prompts, snapshots);
    for (const id of ids) {
      const found = treeOf(this.bench, id);
      if (found !== tree) problems.push(`${id}: the tree ${found} differs from ${tree}`);
      problems.push(...(await untestedTrees(this.bench, id)));
    }
    problems.push(...(await lostDecisions(this.bench, this.#decided)));
    console.log(
      `${String(tickets)} tickets, ${String(snapshots.length)} kills of runners, ${String(serverKills)} of PostgreSQL, ${String(this.#decided.length)} decisions, ${String(this.#retried)} of them to go on after three crashes: ${seconds(performance.now() - began)}`,
    );
    if (snapshots.length < kills)
      problems.push(`the tickets ended before ${String(kills)} runners were killed`);
    const { starts, moves, recovered } = await teamTimes(this.bench, killed);
    problems.push(
      ...slower([
        { what: 'a claimed ticket (p95) started', ms: quantileOf(starts, 0.95), atMost: 500 },
        { what: 'a ticket of another runner (p95) continued', ms: quantileOf(moves, 0.95) },
        // They wait for a place: all runners are busy.
        { what: 'the tickets of a silent runner (slowest) were taken over', ms: quantileOf(recovered, 1) },
      ]),
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
        // The database may be away, or the ticket have moved: asked again in a moment.
        if (view.needsPerson) await this.#decide(view.id).catch(() => undefined);
      }
    }
  }

  async #decide(id: string): Promise<void> {
    const { client } = this.bench.tickets;
    const detail = await client.ticket(id);
    const { status, error, revision } = detail.ticket;
    // Blocked by design after three crashes in ten minutes: a person retries.
    const isRetry = status === 'BLOCKED_ERROR' && error?.code === 'CRASH_LOOP';
    const answer = isRetry
      ? { kind: 'retry' as const, body: { note: '' } }
      : await gateAnswer(client, detail, policy);
    const key = `${id} ${status} ${JSON.stringify(answer?.body)} ${isRetry ? String(revision) : ''}`;
    if (!answer || this.#given.has(key)) return;
    const filed = await client.act(id, answer.kind, answer.body);
    this.#given.add(key);
    if (isRetry) this.#retried += 1;
    this.#decided.push(filed.id);
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
}

async function stop({ child, ended }: CliProcess): Promise<void> {
  child.kill('SIGTERM');
  await ended;
}

interface Taken {
  readonly what: string;
  readonly ms: number;
  readonly atMost?: number;
}

/** Prints all, and returns what took longer than promised. */
function slower(rows: readonly Taken[]): string[] {
  return rows.flatMap(({ what, ms, atMost }) => {
    console.log(`${what} after ${ms.toFixed(0)} ms`);
    return atMost === undefined || ms <= atMost ? [] : [`${what} after more than ${String(atMost)} ms`];
  });
}

function idOf({ stdout }: CliProcess): string {
  return /Runner ([\w-]+) is ready/.exec(stdout)?.[1] ?? '';
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
