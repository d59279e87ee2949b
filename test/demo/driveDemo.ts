import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { demoScript } from '../../src/demo/sample/sample.ts';
import { providerConfig } from '../../src/demo/providerConfig.ts';
import { sampleTicket } from '../../src/demo/sample/ticket.ts';
import { writeSampleRepository } from '../../src/demo/writeSampleRepository.ts';
import { checkDemo, summary, summaryLines } from './checkDemo.ts';
import { DemoProcesses, type DemoTools } from './demoProcesses.ts';
import { checkoutState, type DemoCheck, type DemoFacts, gatherFacts } from './facts.ts';
import { setTimeout as pause } from 'node:timers/promises';
import { driveForge } from './driveForge.ts';
import { addedContext, partyScript } from './partyScript.ts';
import type { ModelScript } from '../../src/demo/script/modelScript.ts';
import { checkParty, nextPlaces } from './checkParty.ts';
import { sampleAnswers, secondTicket } from '../support/samples.ts';

/**
 * Drives the sample ticket to COMPLETED with the real OpenCode and a scripted model, checks the result, and
 * returns the exit code. --party, --forge, --team, --open: docs/contributing.md. --exit: ends the editor
 * after its pictures. --json: one object on standard output. --dir: an empty or missing folder. --clean:
 * removes it on success.
 */
export async function driveDemo(args: readonly string[], tools: DemoTools): Promise<number> {
  const options = readOptions(args);
  const say = (line = ''): void => (options.json ? console.error(line) : console.log(line));
  if ((options.forge || options.team) && (options.party || options.open || (options.forge && options.team))) {
    console.error('--forge and --team are demos of their own: leave out other options for the kind of demo.');
    return 2;
  }
  const folder = workFolder(options.dir, tools);
  if (typeof folder === 'number') return folder;
  const processes = new DemoProcesses(tools, options);
  let code: number;
  try {
    const demo = { options, tools, processes, say };
    const { json } = options;
    if (options.forge) code = await driveForge(folder, { ...demo, json });
    else if (options.team) {
      await processes.installEditor();
      // A browser's driver is not loaded where nobody looks.
      const { driveTeam } = await import('./driveTeam.ts');
      code = await driveTeam(folder, { say, json });
    } else code = await complete(folder, demo);
    if (options.open && !processes.stopping) await open(folder, { options, tools, processes, say });
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    code = 1;
  } finally {
    processes.end();
  }
  if (options.clean && code === 0) rmSync(folder, { recursive: true, force: true });
  return code;
}

/** A variant of the demo. */
interface Show {
  readonly script: ModelScript;
  /** Of `beadsmith run`. */
  readonly options: readonly string[];
  /** A person's actions while the ticket runs. `running`: ends with the ticket. */
  readonly meanwhile?: (scene: Scene) => Promise<void>;
  /** After the ticket, before the checks. */
  readonly afterwards?: (scene: Omit<Scene, 'log' | 'running'>) => Promise<void>;
  readonly check: (facts: DemoFacts, cli: string) => readonly DemoCheck[];
}

interface Scene {
  readonly folder: string;
  readonly repository: string;
  readonly log: string;
  readonly processes: DemoProcesses;
  readonly running: Promise<unknown>;
  readonly say: (line?: string) => void;
}

interface Demo {
  readonly options: ReturnType<typeof readOptions>;
  readonly tools: DemoTools;
  readonly processes: DemoProcesses;
  readonly say: (line?: string) => void;
}

async function complete(folder: string, { options, tools, processes, say }: Demo): Promise<number> {
  const started = Date.now();
  const show = options.party ? party : plain;
  const places = {
    repository: join(folder, 'stockroom'),
    log: join(folder, 'requests.ndjson'),
    bodies: join(folder, 'requests'),
  };
  const base = await writeSampleRepository(places.repository);
  const before = checkoutState(places.repository);
  const file = (name: string, value: unknown): string => {
    writeFileSync(
      join(folder, name),
      typeof value === 'string' ? value : JSON.stringify(value, undefined, 2),
    );
    return join(folder, name);
  };
  const script = file('script.json', show.script);
  const { log, bodies } = places;
  const url = await processes.startModel(['--script', script, '--log', log, '--bodies', bodies]);
  const config = file('opencode.json', providerConfig(url));
  say(`Sample repository: ${places.repository}`);
  say(`Scripted model: ${url} (it only plays ${script})`);
  say();

  const description = file('ticket.md', sampleTicket.description);
  const { title, priority } = sampleTicket;
  const ticket = [`--title=${title}`, '--description-file', description, `--priority=${String(priority)}`];
  const council = ['--depth', 'full', '--model', 'scripted/alpha', '--council', 'scripted/beta'];
  const gates = ['--answers', file('answers.json', sampleAnswers), '--approve', 'all', '--end', 'close'];
  const target = ['run', '--repo', places.repository, '--key', 'demo'];
  const settings = [...council, ...gates, ...show.options, '--opencode-config', config];
  const running = processes.runCli([...target, ...ticket, ...settings]);
  const [ended] = await Promise.all([
    running,
    show.meanwhile?.({ folder, ...places, processes, running, say }),
  ]);
  const isStopped = (): boolean => {
    if (processes.stopping) say(`\nStopped. Everything is in ${folder}`);
    return processes.stopping;
  };
  if (isStopped()) return 130;
  const facts = gatherFacts(tools.cli, { folder, ...places, base, before });
  if (ended === 0) await show.afterwards?.({ folder, repository: places.repository, processes, say });
  if (isStopped()) return 130;
  const seconds = Math.round((Date.now() - started) / 100) / 10;
  const checks = ended === 0 ? [...checkDemo(facts), ...show.check(facts, tools.cli)] : [];
  const ok = ended === 0 && facts.report?.status === 'COMPLETED' && checks.every((check) => check.ok);
  if (options.json) console.log(JSON.stringify(summary(facts, checks, { seconds, ok }), undefined, 2));
  else for (const line of summaryLines(facts, checks, seconds)) say(line);
  if (ended !== 0)
    console.error(
      `\nThe ticket did not get to its end: "beadsmith run" ended with ${String(ended)}. Everything is in ${folder}`,
    );
  return ok ? 0 : 1;
}

/** Has a second ticket wait for a person, with a model that knows an answer to anything, and shows both. */
async function open(folder: string, { options, tools, processes, say }: Demo): Promise<void> {
  await processes.installEditor();
  const repository = join(folder, 'stockroom');
  const url = await processes.startModel(['--generic', '--log', join(folder, 'requests-open.ndjson')]);
  const config = join(folder, 'opencode-open.json');
  say('\nA second ticket, planned quickly, up to its approval:');
  await runQuickTicket({ repository, url, config, processes }, ['--key=demo-waits', '--approve=none']);
  const settings = {
    'beadsmith.mainImplementer': 'scripted/alpha',
    'beadsmith.opencode.path': tools.opencode,
    'beadsmith.opencode.configFile': config,
    'workbench.startupEditor': 'none',
    'workbench.secondarySideBar.defaultVisibility': 'hidden',
    'chat.disableAIFeatures': true,
  };
  const pictures = [
    {
      name: 'waiting',
      unfold: [/Needs Input/],
      row: options.party ? /STOCK-3/ : /STOCK-2/,
      command: 'Beadsmith: Review and Approve…',
    },
    {
      name: 'finished',
      unfold: [/^\s*Done/, /STOCK-1/],
      // The last of its beads, and not the ticket itself.
      row: /4\/4(?! beads)/,
      command: 'Beadsmith: Open Ticket',
      choose: 'STOCK-1',
    },
  ];
  // A browser's driver is not loaded where nobody looks.
  const { openDemo } = await import('./openDemo.ts');
  await openDemo(tools, { repository, folder, settings, pictures, exit: options.exit, say });
}

/** The demo without anything that is off by default. */
const plain: Show = { script: demoScript, options: ['--review', 'off'], check: () => [] };

function readOptions(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      party: { type: 'boolean', default: false },
      forge: { type: 'boolean', default: false },
      team: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      dir: { type: 'string' },
      open: { type: 'boolean', default: false },
      exit: { type: 'boolean', default: false },
      clean: { type: 'boolean', default: false },
      latency: { type: 'string', default: '0' },
      rate: { type: 'string', default: '0' },
    },
  });
  return values;
}

/** The folder to work in, or the exit code of a demo that can't start. */
function workFolder(asked: string | undefined, { cli }: DemoTools): string | number {
  if (!existsSync(cli)) {
    console.error(`${cli} is missing. Run: npm run build`);
    return 1;
  }
  if (asked === undefined) return realpathSync(mkdtempSync(join(tmpdir(), 'beadsmith-demo-')));
  const chosen = resolve(asked);
  mkdirSync(chosen, { recursive: true });
  if (readdirSync(chosen).length > 0) {
    console.error(`${chosen} is not empty. Choose another folder.`);
    return 2;
  }
  return realpathSync(chosen);
}

/** The demo with `--party`: everything that is off by default, at work. */
const party: Show = {
  script: partyScript,
  options: ['--review', 'party', '--kickoff', '--failure-analysis', 'auto', '--retrospective'],
  meanwhile: addContext,
  afterwards: nextTicket,
  check: checkParty,
};

/** A quick ticket with the handoff of the first one, and generic answers. */
async function nextTicket({
  folder,
  repository,
  processes,
  say,
}: Omit<Scene, 'log' | 'running'>): Promise<void> {
  const { log, bodies } = nextPlaces(folder);
  const url = await processes.startModel(['--generic', '--log', log, '--bodies', bodies]);
  const config = join(folder, 'opencode-next.json');
  say('\nA second ticket, planned quickly, that starts with the handoff of the first one:');
  const settings = ['--key=demo-next', '--review=off', '--handoff=latest', '--approve=all', '--end=close'];
  await runQuickTicket({ repository, url, config, processes }, settings);
}

interface QuickRun extends Pick<Scene, 'repository' | 'processes'> {
  /** Of a scripted model. */
  readonly url: string;
  /** The file to write OpenCode's configuration to. */
  readonly config: string;
}

async function runQuickTicket(
  { repository, url, config, processes }: QuickRun,
  options: readonly string[],
): Promise<void> {
  writeFileSync(config, JSON.stringify(providerConfig(url), undefined, 2));
  const { title, depth } = secondTicket;
  const ticket = [`--title=${title}`, `--depth=${depth}`, '--model=scripted/alpha', ...options];
  await processes.runCli(['run', ...ticket, '--repo', repository, '--opencode-config', config]);
}

async function addContext({ repository, log, processes, running }: Scene): Promise<void> {
  const over = new AbortController();
  void running.finally(() => over.abort());
  while (!over.signal.aborted && !isBegun(log)) await pause(200);
  if (over.signal.aborted || processes.stopping) return;
  await processes.runAsPerson(['context', 'add', 'STOCK-1', addedContext, '--always', '--repo', repository]);
}

function isBegun(log: string): boolean {
  try {
    return /"task":"coding"[^\n]*"bead":"csv-encoder"/.test(readFileSync(log, 'utf8'));
  } catch {
    return false;
  }
}
