import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { startLocalServer } from '../../src/adapters/store/postgres/localServer.ts';
import { locations } from '../../src/app/locations.ts';
import { CliProcess } from '../support/cliProcess.ts';
import { startBrowser } from '../support/editor/browser.ts';
import { TeamBench } from '../support/team/teamBench.ts';
import { until } from '../support/until.ts';
import { checkTeam, type TeamFacts } from './checkTeam.ts';
import { checkLines } from './checkDemo.ts';
import { TeamEditor } from './teamEditor.ts';
import { approveInBrowser, type DemoTicket } from './teamPeople.ts';

const count = 6;
const mostAwayMs = 60_000;

interface TeamDemo {
  readonly json: boolean;
  readonly say: (line?: string) => void;
}

/**
 * `--team`: six tickets of a team on three runners, one of which is killed and one stopped and woken. A
 * person approves in a browser, and another one approves and closes in VS Code.
 */
export async function driveTeam(folder: string, { json, say }: TeamDemo): Promise<number> {
  const started = Date.now();
  const server = await startLocalServer({
    folder: join(folder, 'postgres'),
    worker: locations.teamWorker,
  });
  const bench = await TeamBench.open(server.url, undefined, 500);
  const browser = await startBrowser({ separates: true });
  try {
    say(`PostgreSQL: ${new URL(server.url).host} (the models are scripted)`);
    const facts = await journey({ bench, browser, url: server.url, say });
    const checks = await checkTeam(bench, facts);
    const seconds = Math.round((Date.now() - started) / 100) / 10;
    const ok = checks.every((check) => check.ok);
    if (json) console.log(JSON.stringify({ ok, folder, seconds, checks }, undefined, 2));
    else for (const line of checkLines(checks, folder, seconds)) say(line);
    return ok ? 0 : 1;
  } catch (error) {
    console.error(bench.said().slice(-6_000));
    throw error;
  } finally {
    await browser.close();
    await bench.close();
    await server.stop();
  }
}

interface Scene {
  readonly bench: TeamBench;
  readonly browser: Browser;
  readonly url: string;
  readonly say: (line?: string) => void;
}

async function journey({ bench, browser, url, say }: Scene): Promise<TeamFacts> {
  const names = ['one', 'two', 'three'];
  const runners = await Promise.all(names.map((name) => bench.run(name)));
  say(`Runners: ${names.join(', ')}`);
  const editor = await TeamEditor.open({ bench, browser, url, say });
  const tickets: DemoTicket[] = [];
  for (let n = 1; n <= count; n++) {
    const title = `Write note ${String(n)}`;
    tickets.push({ id: await bench.start(title), title });
  }
  const ids = tickets.map(({ id }) => id);
  say(`Tickets: ${ids.join(', ')}`);
  const page = new CliProcess(['serve', '--team', url, '--port', '0', '--json'], { alone: true });
  try {
    const served = await until(() => /"url":"(http:[^"]+)"/.exec(page.stdout)?.[1], 'the page is served');
    const code = await bench.pairingCode('Ada');
    say(`\nAda in a browser, at ${served}, and Ben in VS Code:`);
    const isOfAda = (_ticket: DemoTicket, at: number): boolean => at % 2 === 0;
    const deciders = [
      approveInBrowser(browser, { url: served, code, tickets: tickets.filter(isOfAda), say }),
      editor.approve(tickets.filter((ticket, at) => !isOfAda(ticket, at))),
    ];
    const faults = untilReviews({ bench, say, runners, ids });
    const failed = deciders.map(async ({ work }) => {
      await work;
      return faults;
    });
    const seen = await Promise.race([faults, ...failed]);
    for (const decider of deciders) await decider.stop();
    say('\nBen in VS Code:');
    for (const ticket of tickets) await editor.closeTicket(ticket);
    await until(
      async () => (await bench.tickets.client.tickets(ids)).every(({ status }) => status === 'COMPLETED'),
      'every ticket is completed',
      120_000,
    );
    return { ids, ...seen, editor: await editor.device() };
  } finally {
    await editor.end();
    page.child.kill('SIGTERM');
    await page.ended;
  }
}

interface Faults {
  readonly bench: TeamBench;
  readonly say: (line?: string) => void;
  readonly runners: readonly CliProcess[];
  readonly ids: readonly string[];
}

/** Kills a runner, stops and wakes another one, and waits until every ticket waits for its review. */
async function untilReviews({
  bench,
  say,
  runners,
  ids,
}: Faults): Promise<Omit<TeamFacts, 'ids' | 'editor'>> {
  const killed = await atWork(bench, runners[0]);
  const snapshot = await bench.receipts();
  runners[0]?.child.kill('SIGKILL');
  say(`\n── runner one is killed while it works on ${killed.join(', ')}`);
  const stopped = await atWork(bench, runners[1]);
  runners[1]?.child.kill('SIGSTOP');
  say(`── runner two is stopped while it works on ${stopped.join(', ')}`);
  const epochs = (): Promise<readonly number[]> =>
    Promise.all(stopped.map(async (id) => (await bench.claims(id))[0]?.epoch ?? 0));
  const before = await epochs();
  const taken = async (): Promise<readonly string[]> => {
    const now = await epochs();
    return stopped.filter((_id, at) => (now[at] ?? 0) > (before[at] ?? 0));
  };
  const isTaken = async (): Promise<boolean> => (await taken()).length === stopped.length;
  // A check says so if it fails.
  await until(isTaken, 'others have claimed them', mostAwayMs).catch(() => undefined);
  const takenMeanwhile = await taken();
  runners[1]?.child.kill('SIGCONT');
  say('── runner two wakes up');
  await until(
    async () =>
      (await bench.tickets.client.tickets(ids)).every(({ status }) => status === 'WAITING_PR_REVIEW'),
    'every ticket waits for its review',
    600_000,
  );
  return { killed, stopped, taken: takenMeanwhile, snapshot };
}

/** The tickets on which a runner has a coder at work. */
function atWork(bench: TeamBench, runner: CliProcess | undefined): Promise<readonly string[]> {
  return until(
    async () => {
      const lines = (runner?.stdout ?? '').split('\n').filter((line) => line.includes('"stage":"code"'));
      const ids = [...new Set(lines.flatMap((line) => /"ticket":"([A-Z0-9-]+)"/.exec(line)?.[1] ?? []))];
      const views = await bench.tickets.client.tickets(ids);
      const working = views.filter(({ status }) => status === 'CODING').map(({ id }) => id);
      return working.length > 0 && working;
    },
    'a coder is at work',
    300_000,
  );
}
