import assert from 'node:assert/strict';
import { findingsDocument } from '../../../src/domain/documents/findings.ts';
import { brokenAt } from '../../../src/domain/records/records.ts';
import type { HandlerName } from '../../../src/domain/workflow/rows.ts';
import type { JournalEntry, Transaction } from '../../../src/engine/ports/storePort.ts';
import type { HandlerDefinition } from '../../../src/engine/run/run.ts';
import { type ExecutionWorld, executionWorlds } from '../engine/executionWorld.ts';
import { storedFindings } from '../engine/reviewAnswers.ts';
import { speakerOf } from '../models/fakeAgent.ts';

const points = [
  'before the first',
  'after the first',
  'in the middle',
  'before the last',
  'after the last',
] as const;
type Point = (typeof points)[number];

/** `iteration`: from 1, or 0 outside of them. */
export interface ToldStep {
  readonly key: string;
  readonly iteration: number;
}

export interface CrashStory {
  readonly handlers: { readonly [H in HandlerName]?: HandlerDefinition<string> };
  /** What the model answers follows from its prompts, as another driver may ask. */
  readonly begin: (world: ExecutionWorld) => Promise<void>;
  readonly end: string;
  readonly parts: Readonly<Record<string, (step: ToldStep) => boolean>>;
  /** What the undisturbed story has to be, so that it has the point. */
  readonly check?: (story: Told) => void;
}

export interface Told {
  readonly status: string;
  readonly beads: readonly string[];
  readonly tasks: readonly string[];
  /** Task, speaker, and the prompt's number in its session; sorted. */
  readonly prompts: readonly string[];
  readonly sessions: number;
  readonly input: number;
  readonly records: readonly string[];
  readonly chain: number | undefined;
  readonly findings: readonly string[];
  /** With every version of each. */
  readonly documents: readonly string[];
  readonly tree: string;
}

interface Played {
  readonly told: Told;
  readonly killed: boolean;
  readonly commits: ReadonlyMap<string, readonly number[]>;
}

interface Kill {
  readonly part: string;
  readonly number: number;
  readonly when: 'before' | 'after';
}

export function stage(name: string): (step: ToldStep) => boolean {
  return ({ key }) => key === name || key.startsWith(`${name}/`);
}

/**
 * A driver ends at five points of each part; the next has to bring it to the same end, without a second
 * prompt.
 */
export function crashTests(story: CrashStory): void {
  const newWorld = executionWorlds();
  let reference: Promise<Played> | undefined;
  const undisturbed = async (): Promise<Played> => {
    const played = await (reference ??= play(newWorld, story));
    assert.equal(played.told.status, story.end);
    assert.equal(played.told.chain, undefined);
    story.check?.(played.told);
    return played;
  };
  // The commit that ends a part may also begin the next one.
  const ended = new Map<string, Promise<Played>>();
  const endedAt = (commit: number, kill: Kill): Promise<Played> => {
    const key = `${kill.when} ${String(commit)}`;
    const played = ended.get(key) ?? play(newWorld, story, kill);
    ended.set(key, played);
    return played;
  };
  for (const part of Object.keys(story.parts)) {
    describe(part, () => {
      for (const point of points) {
        it(`${point} of its commits: the next one brings the story to the same end, without a second prompt`, async () => {
          const expected = await undisturbed();
          const commits = expected.commits.get(part) ?? assert.fail('the story has no such part');
          const kill = killAt(part, point, commits.length);
          // Steps side by side may share a commit.
          const first = await endedAt(commits[kill.number - 1] ?? -1, kill);
          const { told, killed } = first.killed
            ? first
            : await play(newWorld, story, { ...kill, number: kill.number - 1 });
          assert.ok(killed, 'no driver came to this point');
          assert.deepEqual(told, expected.told);
        });
      }
    });
  }
}

async function play(
  newWorld: () => Promise<ExecutionWorld>,
  story: CrashStory,
  kill?: Kill,
): Promise<Played> {
  const world = await newWorld();
  await story.begin(world);
  const commits = new Map<string, number[]>();
  let made = 0;
  const iterations: string[] = [];
  let killed = false;
  // Commits of steps side by side overlap, so each keeps its own numbers.
  const numbers = new WeakMap<Transaction, ReadonlyMap<string, number>>();
  const numbered = ({ journal }: Transaction): ReadonlyMap<string, number> => {
    for (const entry of journal)
      if (entry.kind === 'run.opened' && entry.run.parent !== null) iterations.push(entry.run.id);
    const steps = journal.flatMap((entry) => stepOf(entry, iterations));
    const told = Object.keys(story.parts).filter((part) => steps.some((step) => story.parts[part]?.(step)));
    made += 1;
    for (const part of told) commits.set(part, [...(commits.get(part) ?? []), made]);
    return new Map(told.map((part) => [part, commits.get(part)?.length ?? 0]));
  };
  watch(world, (transaction, when) => {
    if (when === 'before') numbers.set(transaction, numbered(transaction));
    if (killed || !kill || when !== kill.when || numbers.get(transaction)?.get(kill.part) !== kill.number)
      return;
    killed = true;
    world.crash();
  });
  // A kill behind the last commit leaves nothing to miss.
  if (kill) await world.driveUntilKilled(story.handlers).catch(() => undefined);
  await world.drive(story.handlers);
  return { told: await tell(world), killed, commits };
}

async function tell(world: ExecutionWorld): Promise<Told> {
  const records = await world.records();
  const isReviewed = await world.store.artifact(world.ticket, findingsDocument.kind);
  const { reviews } = isReviewed ? await storedFindings(world) : { reviews: [] };
  const { status, error } = await world.read();
  return {
    status: error === null ? status : `${status} ${error.code} ${JSON.stringify(error.diagnostics)}`,
    beads: (await world.store.beads(world.ticket)).map(
      ({ id, iteration, status }) => `${id} ${String(iteration)} ${status}`,
    ),
    tasks: world.agent.tasks,
    prompts: world.agent.calls.map((call) => `${call.task} ${speakerOf(call)} ${String(call.number)}`).sort(),
    sessions: world.agent.sessions.size,
    input: (await world.store.usage(world.ticket)).reduce((sum, { input }) => sum + input, 0),
    records: records.map(({ bead, iteration, kind }) => `${bead} ${String(iteration)} ${kind}`),
    chain: brokenAt(records),
    findings: reviews.map(({ round, findings }) => {
      const all = findings.map(
        ({ claim, personas, votes }) => `${claim} ${personas?.join('+') ?? ''} ${String(votes ?? '')}`,
      );
      return `${String(round)}: ${all.join(' ')}`;
    }),
    documents: (await world.store.artifacts(world.ticket)).map(({ type }) => type).sort(),
    tree: await world.repository.git('rev-parse', `ticket/${world.ticket}^{tree}`),
  };
}

function watch(
  world: ExecutionWorld,
  see: (transaction: Transaction, when: 'before' | 'after') => void,
): void {
  const { store } = world;
  world.store = new Proxy(store, {
    get(target, name) {
      if (name !== 'commit') {
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      }
      return async (transaction: Transaction) => {
        see(transaction, 'before');
        const done = await target.commit(transaction);
        see(transaction, 'after');
        return done;
      };
    },
  });
}

function killAt(part: string, point: Point, commits: number): Kill {
  const number = point.endsWith('first') ? 1 : point.endsWith('last') ? commits : Math.ceil(commits / 2);
  return { part, number, when: point.startsWith('before') ? 'before' : 'after' };
}

function stepOf(entry: JournalEntry, iterations: readonly string[]): ToldStep[] {
  return 'key' in entry ? [{ key: entry.key, iteration: iterations.indexOf(entry.run) + 1 }] : [];
}
