import assert from 'node:assert/strict';
import { HandoffReport } from '../../../src/domain/documents/handoffReport.ts';
import { RetrospectiveReport } from '../../../src/domain/documents/retrospectiveReport.ts';
import { UatChecklist } from '../../../src/domain/documents/uatChecklist.ts';
import { readText } from '../../../src/domain/documents/base/text.ts';
import { BeadsmithError } from '../../../src/domain/core/errors.ts';
import { chained } from '../../../src/domain/records/records.ts';
import { cleanup } from '../../../src/phases/delivery/cleanup.ts';
import { retrospective } from '../../../src/phases/delivery/retrospective.ts';
import { review } from '../../../src/phases/delivery/review.ts';
import { type ExecutionWorld, executionWorlds } from '../../support/engine/executionWorld.ts';
import { type FakeAnswer, type FakeCall, speakerOf } from '../../support/models/fakeAgent.ts';

const answer = [
  'patterns: ["A greeting is a file."]',
  'went_well: ["Quickly done."]',
  'handoff:',
  '  patterns: [{ text: "Greetings are files.", evidence: [README.md] }]',
  '  risks: [{ text: "Nothing shows this.", evidence: [no/such/file.txt] }, { text: "Nor this." }]',
  'uat: [{ criteria: [greet.AC1], actions: ["Read greet.txt."], expected: "It says hello." }]',
  'END_OF_ANSWER',
].join('\n');
const on = { settings: { retrospective: true }, beads: [{ status: 'done' as const }] };

async function document(
  world: ExecutionWorld,
  type: Parameters<typeof world.store.artifact>[1],
): Promise<unknown> {
  const read = readText('yaml', (await world.store.artifact(world.ticket, type))?.content ?? '');
  return read.ok ? read.value : undefined;
}

describe('the retrospective', () => {
  const newWorld = executionWorlds();

  it('does nothing where it is off, and passes on what is to become of the worktree', async () => {
    const world = await newWorld.in('WAITING_PR_REVIEW', { beads: on.beads });
    await world.post('close', { reason: 'done', deleteWorktree: true });
    await world.drive({ review, retrospective });
    const { status, entry } = await world.read();
    assert.deepEqual([status, entry.body], ['CLEANING_ENV', { deleteWorktree: true }]);
    assert.equal(world.agent.calls.length, 0);
    assert.deepEqual(
      (await world.store.artifacts(world.ticket))
        .map(({ type }) => type)
        .filter((type) => /retro|handoff|uat/.test(type)),
      [],
    );
  });

  it('looks back, drops what names no file, and leaves a handoff and what to check by hand', async () => {
    const world = await newWorld.in('WRITING_RETROSPECTIVE', on);
    world.answers({ retrospective: answer });
    await world.drive({ retrospective, cleanup }, 'COMPLETED');
    const report = RetrospectiveReport.parse(await document(world, 'retrospective_report'));
    assert.deepEqual(
      [report.skipped, report.patterns, report.metrics.completed],
      ['', ['A greeting is a file.'], 1],
    );
    assert.deepEqual(
      report.beads.map(({ id, outcome }) => [id, outcome]),
      [['greet', 'completed']],
    );
    const handoff = HandoffReport.parse(await document(world, 'handoff_report'));
    assert.deepEqual(
      [handoff.patterns, handoff.risks],
      [[{ text: 'Greetings are files.', evidence: ['README.md'] }], []],
    );
    assert.equal(handoff.dropped.length, 2);
    const uat = UatChecklist.parse(await document(world, 'uat_checklist'));
    assert.deepEqual(
      uat.criteria.map(({ id, by_hand: byHand }) => [id, byHand]),
      [['greet.AC1', true]],
    );
    assert.equal(uat.steps[0]?.expected, 'It says hello.');
    assert.equal(world.agent.calls[0]?.policy, 'read_only');
    assert.match(world.agent.calls[0].whole, /Play all of these [^\n]*: Mary, Bob, Winston, Amelia\./);
    assert.deepEqual(
      [report.party?.mode, report.party?.participants.map(({ id }) => id)],
      ['solo', ['solo']],
    );
  });

  it('puts what several personas say together, checks their files, and names who is missing', async () => {
    const world = await newWorld();
    world.agent.known = ['demo/main', 'other/second'];
    const settings = { retrospective: true, councilMembers: ['other/second'] };
    await world.begin('WRITING_RETROSPECTIVE', { ...on, settings });
    const said: Readonly<Record<string, FakeAnswer>> = {
      Mary: answer,
      Bob: 'We had a good talk.',
      Winston: answer
        .replace('went_well: ["Quickly done."]', 'went_well: ["quickly done", "Small beads."]')
        .replace('README.md', 'no.md'),
    };
    world.answers({
      retrospective: (call) =>
        said[speakerOf(call)] ?? 'patterns: ["Names are short."]\nhandoff: {}\nEND_OF_ANSWER',
    });
    await world.drive({ retrospective, cleanup }, 'COMPLETED');
    assert.equal(speakerOf(world.agent.calls[0] as FakeCall), 'Mary');
    const report = RetrospectiveReport.parse(await document(world, 'retrospective_report'));
    assert.deepEqual(
      [report.patterns, report.went_well],
      [
        ['A greeting is a file.', 'Names are short.'],
        ['Quickly done.', 'Small beads.'],
      ],
    );
    assert.equal(report.party?.mode, 'parallel');
    assert.deepEqual(
      report.party.participants.map(({ id }) => id),
      ['mary', 'winston', 'amelia'],
    );
    assert.deepEqual(
      report.party.missing.map(({ id }) => id),
      ['bob'],
    );
    const handoff = HandoffReport.parse(await document(world, 'handoff_report'));
    assert.deepEqual(
      [handoff.patterns, handoff.dropped.length],
      [[{ text: 'Greetings are files.', evidence: ['README.md'] }], 2],
    );
    assert.equal(UatChecklist.parse(await document(world, 'uat_checklist')).steps.length, 1);
    assert.ok(
      world.events.some(
        (event) => event.type === 'activity' && event.text.startsWith('Retrospective without Bob: '),
      ),
    );
  });

  it('AT-21: tells of a failed bead first and whole', async () => {
    const world = await newWorld();
    const beads = [
      { status: 'done' as const },
      { id: 'other', title: 'Other', status: 'error' as const, targetFiles: ['other.txt'] },
    ];
    await world.begin('WRITING_RETROSPECTIVE', { ...on, beads });
    const entry = {
      bead: 'other',
      iteration: 1,
      kind: 'gate',
      payload: { note: 'the whole record of it' },
    } as const;
    await world.put(
      'bead_records',
      `${JSON.stringify(chained(undefined, '2026-01-01T00:00:00.000Z', entry))}\n`,
      'CODING',
    );
    let prompt = '';
    world.answers({ retrospective: (call) => ((prompt = call.text), answer) });
    await world.drive({ retrospective });
    assert.match(
      prompt,
      /### other: Other \(failed, 1 iteration\)\n\n#### gate, iteration 1\n\nnote: the whole record of it[^]*### greet: /,
    );
  });

  it('AT-21: leaves the ticket completed with a warning when it fails, and keeps what the engine knows', async () => {
    for (const failure of [
      () => 'no answer at all',
      () => {
        throw new BeadsmithError('PROVIDER_ERROR', { model: 'demo/main', reason: 'gone' });
      },
    ]) {
      const world = await newWorld.in('WRITING_RETROSPECTIVE', on);
      world.answers({ retrospective: failure });
      await world.drive({ retrospective, cleanup }, 'COMPLETED');
      const report = RetrospectiveReport.parse(await document(world, 'retrospective_report'));
      assert.notEqual(report.skipped, '');
      assert.equal(report.metrics.completed, 1);
      assert.ok(await document(world, 'uat_checklist'));
      assert.equal(await world.store.artifact(world.ticket, 'handoff_report'), undefined);
      assert.ok(
        world.events.some(
          (event) => event.type === 'activity' && event.text.startsWith('Skipped: retrospective.'),
        ),
      );
    }
  });

  it('sends nothing twice when the process is killed', async () => {
    const world = await newWorld.in('WRITING_RETROSPECTIVE', on);
    world.answers({ retrospective: answer });
    const regularFiles = world.git.regularFiles.bind(world.git);
    world.git.regularFiles = (...args) => {
      world.crash();
      return regularFiles(...args);
    };
    await world.driveUntilKilled({ retrospective, cleanup });
    world.git.regularFiles = regularFiles;
    await world.drive({ retrospective, cleanup }, 'COMPLETED');
    assert.equal(world.agent.calls.length, 1);
    assert.equal(HandoffReport.parse(await document(world, 'handoff_report')).patterns.length, 1);
  });
});
