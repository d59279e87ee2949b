import assert from 'node:assert/strict';
import { brokenAt } from '../../../src/domain/records/records.ts';
import { BeadRecords, beadRecordsDocument } from '../../../src/domain/documents/beadRecords.ts';
import { Findings, findingsDocument } from '../../../src/domain/documents/findings.ts';
import { readText } from '../../../src/domain/documents/text.ts';
import type { Settings } from '../../../src/domain/settings.ts';
import type { JournalEntry, Transaction } from '../../../src/engine/ports/storePort.ts';
import { coding } from '../../../src/phases/coding/coding.ts';
import { type ExecutionWorld, executionWorlds, report } from '../../support/engine/executionWorld.ts';

/** The stages of the story, as the keys of their steps begin. */
const stages = ['code:1', 'check:1', 'review:1', 'fix:1', 'check:2', 'review:2', 'finalize:1'] as const;
type StageName = (typeof stages)[number];

/** Which of the commits that tell of a stage is the last one, or isn't made any more. */
const points = ['before the first', 'after the first', 'in the middle', 'before the last', 'after the last'] as const;
type Point = (typeof points)[number];

/** A commit that tells of a stage: before it is made, or after. */
type Kill = (transaction: Transaction, when: 'before' | 'after') => boolean;

describe('a driver that ends in a stage of an iteration', function () {
  this.timeout(60_000);
  const newWorld = executionWorlds();
  let reference: Promise<Story> | undefined;
  const undisturbed = (): Promise<Story> => (reference ??= play(newWorld));

  for (const stage of stages) {
    describe(stage, () => {
      for (const point of points) {
        it(`${point} of its commits: the next one brings the bead to the same end, without a second prompt`, async () => {
          const expected = await undisturbed();
          const kill = killAt(stage, point, expected.commits.get(stage) ?? assert.fail('the story has no such stage'));
          const story = await play(newWorld, kill);
          assert.ok(story.killed, 'no driver came to this point');
          assert.deepEqual(story.tasks, expected.tasks);
          assert.deepEqual(story.records, expected.records);
          assert.equal(story.chain, undefined);
          assert.deepEqual(story.findings, expected.findings);
          assert.deepEqual([story.status, story.tree], [expected.status, expected.tree]);
        });
      }
    });
  }
});

interface Story {
  readonly killed: boolean;
  readonly status: string;
  readonly tasks: readonly string[];
  readonly records: readonly string[];
  /** Where the chain of the records is broken. */
  readonly chain: number | undefined;
  readonly findings: readonly string[];
  readonly tree: string;
  /** How many commits tell of each stage. */
  readonly commits: ReadonlyMap<string, number>;
}

const settings = { depth: 'full', councilMembers: ['other/third'], review: 'standard' } satisfies Partial<Settings>;

/** One bead that is coded, reviewed, fixed, reviewed again and committed; the driver may end on the way. */
async function play(newWorld: () => Promise<ExecutionWorld>, kill?: Kill): Promise<Story> {
  const world = await newWorld();
  world.agent.known = ['demo/main', 'other/third'];
  await world.begin('CODING', { settings, beads: [{}], limits: { maxIterations: 1 } });
  const finding = {
    ...{ severity: 'high', category: 'correctness', file: 'greet.txt', line: 1, claim: 'It greets nobody by name.' },
    ...{ evidence: 'hello', suggestedFix: 'Say whom.', confidence: 0.9 },
  };
  const reviewed = (findings: readonly unknown[]): string =>
    `\`\`\`json\n${JSON.stringify({ checked: ['Each criterion.'], findings })}\n\`\`\`\nEND_OF_ANSWER`;
  world.answers({
    coding: () => {
      world.write('greet.txt', 'hello\n');
      return report('greet');
    },
    review: reviewed([finding]),
    fix: () => {
      world.write('greet.txt', 'hello Ada\n');
      return `${report('greet').replace(/<DEV_RECORD>[^]*<\/DEV_RECORD>\n/, '')}\nEND_OF_ANSWER`;
    },
    'review-again': reviewed([]),
  });
  const commits = new Map<string, number>();
  let killed = false;
  watch(world, (transaction, when) => {
    if (when === 'before') for (const stage of stages) if (tellsOf(transaction, stage)) commits.set(stage, (commits.get(stage) ?? 0) + 1);
    if (killed || kill?.(transaction, when) !== true) return;
    killed = true;
    world.crash();
  });
  if (kill) await world.driveUntilKilled({ coding }).catch(() => undefined);
  await world.drive({ coding });
  const { status } = await world.read();
  const stored = async (kind: Parameters<ExecutionWorld['json']>[0], format: 'yaml' | 'jsonl'): Promise<unknown> => {
    const read = readText(format, (await world.store.artifact(world.ticket, kind))?.content ?? '');
    return read.ok ? read.value : undefined;
  };
  const records = BeadRecords.parse(await stored(beadRecordsDocument.kind, 'jsonl'));
  const { reviews } = Findings.parse(await stored(findingsDocument.kind, 'yaml'));
  return {
    ...{ killed, status, commits, tasks: world.agent.tasks, chain: brokenAt(records) },
    records: records.map(({ bead, iteration, kind }) => `${bead} ${String(iteration)} ${kind}`),
    findings: reviews.map(({ round, findings }) => `${String(round)}: ${findings.map(({ claim }) => claim).join(' ')}`),
    tree: await world.repository.git('rev-parse', `ticket/${world.ticket}^{tree}`),
  };
}

/** Calls `see` around each commit of the drive. */
function watch(world: ExecutionWorld, see: (transaction: Transaction, when: 'before' | 'after') => void): void {
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

function killAt(stage: StageName, point: Point, commits: number): Kill {
  const number = point.endsWith('first') ? 1 : point.endsWith('last') ? commits : Math.ceil(commits / 2);
  const wanted = point.startsWith('before') ? 'before' : 'after';
  let seen = 0;
  return (transaction, when) => {
    if (!tellsOf(transaction, stage)) return false;
    if (when === 'before') seen++;
    return seen === number && when === wanted;
  };
}

/** Whether a commit has an entry of a stage or of one of its steps. */
function tellsOf({ journal }: Transaction, stage: string): boolean {
  return journal.some((entry: JournalEntry) => 'key' in entry && (entry.key === stage || entry.key.startsWith(`${stage}/`)));
}
