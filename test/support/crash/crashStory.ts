import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openStore } from '../../../src/adapters/store/openStore.ts';
import { locations } from '../../../src/app/locations.ts';
import type { RequestRecord } from '../../../src/demo/scriptedServer.ts';
import type { Store, StepRow } from '../../../src/engine/ports/storePort.ts';
import { repeated, type Snapshot, snapshot } from '../../soak/findings.ts';
import type { CrashBench } from './crashBench.ts';
import type { CrashOrders } from './crashDriver.ts';
import {
  type Crash,
  type CrashPoint,
  CrashRecord,
  crashTargetNames,
  crashTargets,
  type CrashTargetName,
} from './crashPoints.ts';
import { program } from '../program.ts';
import { type TempRepository, tempRepository } from '../git/tempRepository.ts';

const driver = program('crashDriver.js', 'test/support/crash/crashDriver.ts');
/** More than a driver needs, also beside many others. */
const driverLimitMs = 240_000;

interface Drive {
  readonly signal: NodeJS.Signals | null;
  readonly errors: string;
}

export interface Found extends Drive {
  readonly killed: Extract<CrashRecord, { type: 'killed' }> | undefined;
  /** Undefined when it has no intent. */
  readonly step: StepRow | undefined;
  /** Requests to the model for the step's prompt so far. */
  readonly requests: number;
}

/** What the database, git and the model's log say of a ticket at its end. */
export interface Story {
  readonly found: ReadonlyMap<CrashTargetName, Found>;
  readonly last: Drive;
  readonly stopped: Extract<CrashRecord, { type: 'stopped' }> | undefined;
  readonly status: string;
  readonly journal: Awaited<ReturnType<Store['verify']>>;
  /** By run and key. */
  readonly receipts: ReadonlyMap<string, number>;
  readonly failed: readonly string[];
  /** One line each, sorted. */
  readonly requests: readonly string[];
  /** Prompts that were sent again although their step had a receipt. */
  readonly repeated: readonly string[];
  readonly sessions: readonly string[];
  readonly artifacts: readonly string[];
  /** Kind and state of everything sent, and acknowledged entries that are missing or weren't dealt with. */
  readonly inbox: readonly string[];
  readonly lost: readonly string[];
  readonly tree: string;
  /** Subject and trailers, of the branch and of what was kept before the squash. */
  readonly commits: readonly string[];
  readonly refs: readonly string[];
  readonly checkoutUntouched: boolean;
}

/** Kills a driver at this point of one target after the other, if one is given. */
export async function crashStory(bench: CrashBench, provider: string, point?: CrashPoint): Promise<Story> {
  const repository = await tempRepository({ name: 'sample' });
  try {
    return await tell(bench, provider, repository, point);
  } finally {
    await repository.remove();
  }
}

async function tell(
  bench: CrashBench,
  provider: string,
  repository: TempRepository,
  point: CrashPoint | undefined,
): Promise<Story> {
  const before = await repository.fingerprint();
  const record = join(repository.root, '..', 'record.ndjson');
  const orders = { folder: repository.root, server: bench.server, provider, record };
  const snapshots: Snapshot[] = [];
  const found = new Map<CrashTargetName, Found>();
  for (const target of point === undefined ? [] : crashTargetNames) {
    const crash: Crash = { point: point ?? 'in the middle', target };
    const drive = await runDriver(bench, { ...orders, crash });
    const killed = recordsOf(record).findLast((entry) => entry.type === 'killed');
    const { task } = { task: undefined, ...crashTargets[target] };
    const requests = bench
      .requests(provider)
      .filter((request) => request.task === task && request.model === 'alpha' && request.step === 0);
    const step = await reading(bench, repository, (store) => stepAt(store, target));
    found.set(target, {
      ...drive,
      killed: killed?.target === target ? killed : undefined,
      step,
      requests: requests.length,
    });
    snapshots.push(snapshot(join(repository.root, '.git', 'beadsmith', 'state.db')));
    // It went past its target.
    if (drive.signal === null) break;
  }
  const last = await runDriver(bench, { ...orders, crash: null });
  const records = recordsOf(record);
  const posted = records.flatMap((entry) => (entry.type === 'posted' ? [entry.id] : []));
  const log = bench.requests(provider);
  return {
    found,
    last,
    stopped: records.findLast((entry) => entry.type === 'stopped'),
    requests: log.map(lineOf).sort(),
    repeated: repeated(log, snapshots),
    ...(await reading(bench, repository, (store) => factsOf(store, posted))),
    ...(await gitFacts(repository)),
    checkoutUntouched: (await repository.fingerprint()) === before,
  };
}

/** Until it is killed, or the ticket ends. */
export async function runDriver(
  bench: Pick<CrashBench, 'environment' | 'over'>,
  orders: CrashOrders,
): Promise<Drive> {
  const child = spawn(process.execPath, [driver, JSON.stringify(orders)], {
    env: bench.environment,
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: driverLimitMs,
    signal: bench.over,
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  await once(child, 'close');
  return { signal: child.signalCode, errors };
}

export function recordsOf(file: string): CrashRecord[] {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').filter(Boolean) : [];
  return lines.map((line) => CrashRecord.parse(JSON.parse(line)));
}

async function reading<T>(
  bench: CrashBench,
  repository: TempRepository,
  read: (store: Store) => Promise<T>,
): Promise<T> {
  const opened = await openStore({
    commonDir: join(repository.root, '.git'),
    mode: 'follower',
    workerUrl: locations.storeWorker,
    configFolder: bench.configFolder,
  });
  try {
    if (!opened.store) throw opened.reason ?? new Error('There is nothing to read.');
    return await read(opened.store);
  } finally {
    await opened.close();
  }
}

async function stepAt(store: Store, target: CrashTargetName): Promise<StepRow | undefined> {
  for (const { id } of await store.tickets()) {
    for (const run of await store.runs(id)) {
      const step = (await store.steps(run.id)).find(({ key }) =>
        crashTargets[target].step.test(`${run.id} ${key}`),
      );
      if (step) return step;
    }
  }
  return undefined;
}

async function factsOf(store: Store, posted: readonly string[]) {
  const [ticket] = await store.tickets();
  const id = ticket?.id ?? '';
  const receipts = new Map<string, number>();
  const failed: string[] = [];
  for (const { entry } of await store.journal(id)) {
    if (entry.kind !== 'step.done' && entry.kind !== 'step.failed') continue;
    const name = `${entry.run} ${entry.key}`;
    receipts.set(name, (receipts.get(name) ?? 0) + 1);
    if (entry.kind === 'step.failed') failed.push(name);
  }
  const inbox = await store.inbox(id);
  const dealtWith = new Set(inbox.filter(({ state }) => state === 'consumed').map((entry) => entry.id));
  return {
    status: ticket?.status ?? '',
    journal: await store.verify(id),
    receipts,
    failed,
    sessions: (await store.sessions(id))
      .map(
        (session) => `${session.run} ${session.step} ${session.member.split('/')[1] ?? ''} ${session.state}`,
      )
      .sort(),
    artifacts: (await store.artifacts(id))
      .map((artifact) => `${artifact.type.replace(/:[^:]+\/(?=alpha$|beta$)/, ':')} ${artifact.version}`)
      .sort(),
    inbox: inbox.map((entry) => `${entry.kind} ${entry.state}`),
    lost: posted.filter((entry) => !dealtWith.has(entry)),
  };
}

/** A ticket's branch and kept refs. */
export async function gitFacts(repository: TempRepository) {
  const branches = await repository.git('for-each-ref', '--format=%(refname)', 'refs/heads/ticket');
  const branch = branches.split('\n')[0] ?? '';
  const refs = (await repository.git('for-each-ref', '--format=%(refname)', 'refs/beadsmith'))
    .split('\n')
    .filter(Boolean);
  const log = async (ref: string): Promise<string[]> => {
    const text = await repository.git(
      'log',
      '-z',
      '--format=%s | %(trailers:only,unfold,separator=%x2C )',
      `main..${ref}`,
    );
    return text.split('\0').filter(Boolean);
  };
  const commits: string[] = [];
  for (const ref of [branch, ...refs]) commits.push(...(await log(ref)).map((line) => `${ref}: ${line}`));
  return { tree: await repository.git('rev-parse', `${branch}^{tree}`), commits, refs };
}

function lineOf(request: RequestRecord): string {
  const { model, task, repair, continuation, bead, iteration, step, reply } = request;
  return [task, model, bead ?? '', iteration ?? '', repair ? 'repair' : '', continuation, step, reply].join(
    ' ',
  );
}
