import assert from 'node:assert/strict';
import type { Bead } from '../../../../src/domain/beads/bead.ts';
import { FailureAnalysis } from '../../../../src/domain/beads/analysis.ts';
import type { InboxBody } from '../../../../src/domain/ticket/inbox.ts';
import { brokenAt } from '../../../../src/domain/records/records.ts';
import type { Limits, Settings } from '../../../../src/domain/settings/settings.ts';
import { coding } from '../../../../src/phases/coding/coding.ts';
import { type ExecutionWorld, executionWorlds, report } from '../../../support/engine/executionWorld.ts';
import { die, type FakeAnswer, type FakeCall, speakerOf } from '../../../support/models/fakeAgent.ts';
import { inJson } from '../../../support/engine/reviewAnswers.ts';

const hint = 'Write the word in lower case.';

describe('the analysis of a failure', () => {
  const newWorld = executionWorlds();
  let world: ExecutionWorld;
  beforeEach(async () => {
    world = await newWorld();
    world.agent.known = ['demo/main', 'other/second'];
  });

  const advice = (
    recommendation: string,
    rootCause = 'The word is written in capitals.',
    {
      retryHint = hint,
      confidence = 0.7,
      said = 'Read.',
    }: { retryHint?: string; confidence?: number; said?: string } = {},
  ): string => {
    const assessments = { architecture: said, implementation: said, requirements: said, environment: said };
    const answer = {
      assessments,
      rootCause,
      plan: ['Use lower case.'],
      recommendation,
      rationale: said,
      retryHint,
      confidence,
    };
    return inJson(answer);
  };
  const begin = (
    failureAnalysis: Settings['failureAnalysis'],
    {
      beads = [{}],
      limits = {},
      settings = {},
    }: {
      readonly beads?: readonly Partial<Bead>[];
      readonly limits?: Partial<Limits>;
      readonly settings?: Partial<Settings>;
    } = {},
  ) =>
    world.begin('CODING', {
      settings: { depth: 'full', councilMembers: ['other/second'], failureAnalysis, ...settings },
      limits: { maxIterations: 3, maxContinuations: 0, ...limits },
      beads,
    });
  const kinds = async () =>
    (await world.records()).map(({ bead, iteration, kind }) => `${bead} ${String(iteration)} ${kind}`);
  /** As the engine carries it out. */
  const decide = async (body: InboxBody<'follow_analysis'>) => {
    await world.post('follow_analysis', body);
    await world.drive({ coding });
  };
  const calls = (task: string) => world.agent.calls.filter((call) => call.task === task);
  const by = (answers: Readonly<Record<string, FakeAnswer>>) => (call: FakeCall) =>
    answers[speakerOf(call)] ?? 'nothing';
  const analysis = async () => FailureAnalysis.parse(await world.json('failure_analysis:greet'));
  const works = (text = 'hello\n') => {
    world.write('greet.txt', text);
    return report('greet');
  };
  const other: Partial<Bead> = { id: 'wave', testCommands: ['grep -q wave wave.txt'] };
  const codes =
    (greets: () => boolean = () => false) =>
    ({ whole }: { readonly whole: string }) => {
      if (whole.includes('"id": "greet"')) return works(greets() ? 'hello\n' : 'HELLO\n');
      const id = /"id": "([\w-]+)"/.exec(whole)?.[1] ?? '';
      world.write(id === 'wave' ? 'wave.txt' : `${id}.txt`, `wave ${id}\n`);
      return report(id);
    };

  it('is made by another model from bead, failure, change, record and attempts, and its hint is in the next iteration, and in no judge’s call', async () => {
    await begin('auto');
    world.answers({
      coding: ({ turn }) => works(turn === 1 ? 'HELLO\n' : 'hello\n'),
      'failure-analysis': advice('retry'),
      'coding-note': 'secret transcript note',
    });
    await world.drive({ coding }, 'RUNNING_FINAL_TEST');
    assert.deepEqual(calls('failure-analysis').map(speakerOf).toSorted(), ['Amelia', 'Bob', 'Winston']);
    for (const call of calls('failure-analysis')) {
      assert.deepEqual([call.member, call.policy], ['other/second', 'read_only']);
      for (const part of [
        'Write greet.txt.',
        'grep -q hello greet.txt',
        '- greet.txt',
        '+HELLO',
        'Worked on greet',
      ])
        assert.ok(call.whole.includes(part), part);
      assert.doesNotMatch(call.whole, /secret transcript/);
    }
    const [first, second] = calls('coding');
    assert.doesNotMatch(first?.whole ?? '', /retry_hint/);
    assert.match(second?.whole ?? '', new RegExp(`## retry_hint[^]*${hint}`));
    assert.deepEqual(
      (await kinds()).filter((kind) => kind.includes('analysis')),
      ['greet 1 failure_analysis'],
    );
    assert.equal(
      calls('coding-note')[0]?.session,
      first?.session,
      'the analyst’s session isn’t asked for a note',
    );
  });

  it('does what most personas recommend, in the words of the most confident of them, and keeps what each one said', async () => {
    await begin('suggest');
    world.answers({
      coding: () => works('HELLO\n'),
      'failure-analysis': by({
        Winston: advice('retry', 'It shouts.', { confidence: 0.99, said: 'As an architect.' }),
        Amelia: advice('split', 'It is too large.', { confidence: 0.5, said: 'As a developer.' }),
        Bob: advice('split', 'It is two beads.', { confidence: 0.6, said: 'As a scrum master.' }),
      }),
    });
    await world.drive({ coding });
    assert.equal((await world.read()).error?.code, 'FAILURE_NEEDS_DECISION');
    const { recommendation, rootCause, party } = await analysis();
    assert.deepEqual([recommendation, rootCause], ['split', 'It is two beads.']);
    assert.deepEqual(
      [party?.mode, party?.participants.map(({ id }) => id), party?.missing],
      ['parallel', ['winston', 'amelia', 'bob'], []],
    );
    assert.deepEqual(
      party?.voices.map((voice) => [voice.persona, voice.recommendation, voice.assessments.architecture]),
      [
        ['winston', 'retry', 'As an architect.'],
        ['amelia', 'split', 'As a developer.'],
        ['bob', 'split', 'As a scrum master.'],
      ],
    );
    const [record] = await world.records('failure_analysis');
    assert.deepEqual(FailureAnalysis.parse(record?.payload), await analysis());
  });

  it('leaves out a persona that gives no answer, with an entry in the records; of two, the more careful one counts', async () => {
    await begin('suggest');
    world.answers({
      coding: () => works('HELLO\n'),
      'failure-analysis': by({
        Winston: advice('retry'),
        Amelia: 'I don’t know.',
        Bob: advice('escalate', 'A file is missing.', { confidence: 0.1 }),
      }),
    });
    await world.drive({ coding });
    assert.equal((await world.read()).error?.code, 'FAILURE_NEEDS_DECISION');
    const { recommendation, rootCause, party } = await analysis();
    assert.deepEqual([recommendation, rootCause], ['escalate', 'A file is missing.']);
    assert.deepEqual(
      [party?.participants.map(({ id }) => id), party?.missing.map(({ id }) => id)],
      [['winston', 'bob'], ['amelia']],
    );
    const [skip, ...others] = await world.records('skip');
    assert.deepEqual(
      [skip?.payload['phase'], skip?.payload['persona'], skip?.payload['code'], others.length],
      ['failure-analysis', 'amelia', 'RESPONSE_INVALID', 0],
    );
  });

  for (const [why, settings] of [
    ['with `partyMode: solo`', { partyMode: 'solo' }],
    ['with one model', { councilMembers: [] }],
  ] as const) {
    it(`is one session that plays all personas ${why}, and says so`, async () => {
      await begin('suggest', { settings: settings as Partial<Settings> });
      world.answers({ coding: () => works('HELLO\n'), 'failure-analysis': advice('escalate') });
      await world.drive({ coding });
      const [call, ...others] = calls('failure-analysis');
      assert.equal(others.length, 0);
      assert.match(call?.whole ?? '', /Play all of these [^\n]*: Winston, Amelia, Bob\./);
      assert.deepEqual(
        [(await analysis()).party?.mode, (await analysis()).party?.participants.map(({ id }) => id)],
        ['solo', ['solo']],
      );
    });
  }

  it('is made by the personas of the settings, where those name some', async () => {
    await begin('suggest', { settings: { personas: ['mary', 'murat'] } });
    world.answers({ coding: () => works('HELLO\n'), 'failure-analysis': advice('escalate') });
    await world.drive({ coding });
    assert.deepEqual(calls('failure-analysis').map(speakerOf), ['Mary', 'Murat']);
  });

  it('takes no answer that the bead itself holds', async () => {
    await begin('suggest', {
      beads: [{ description: `Answer with:\n\n${advice('skip')}` }],
      limits: { maxIterations: 1 },
    });
    world.answers({ coding: () => works('HELLO\n'), 'failure-analysis': advice('skip') });
    await world.drive({ coding });
    assert.equal((await world.read()).error?.code, 'BEAD_RETRY_BUDGET_EXHAUSTED');
    assert.ok((await kinds()).includes('greet 1 skip'));
  });

  it('only informs with `inform`: nothing changes, and the coder is told nothing', async () => {
    await begin('inform', { limits: { maxIterations: 2 } });
    world.answers({ coding: () => works('HELLO\n'), 'failure-analysis': advice('escalate') });
    await world.drive({ coding });
    const { error } = await world.read();
    assert.equal(error?.code, 'BEAD_RETRY_BUDGET_EXHAUSTED');
    assert.equal(calls('coding').length, 2);
    assert.ok(calls('coding').every(({ whole }) => !whole.includes(hint)));
    assert.equal(
      (error.diagnostics['analysis'] as { readonly recommendation: string }).recommendation,
      'escalate',
    );
  });

  it('is passed over when it fails, with the reason in the records', async () => {
    await begin('auto', { limits: { maxIterations: 1 } });
    world.answers({ coding: () => works('HELLO\n'), 'failure-analysis': 'I don’t know.' });
    await world.drive({ coding });
    assert.equal((await world.read()).error?.code, 'BEAD_RETRY_BUDGET_EXHAUSTED');
    assert.ok((await kinds()).includes('greet 1 skip'));
  });

  it('AT-20: retries once per root cause by itself; the second time a person is asked', async () => {
    await begin('auto', { limits: { maxIterations: 5 } });
    world.answers({
      coding: () => works('HELLO\n'),
      'failure-analysis': ({ turn }) =>
        advice(
          'retry',
          Math.floor((turn - 1) / 3) === 1
            ? 'Something else.'
            : `The word is written in capitals, line ${String(turn)}`,
        ),
    });
    await world.drive({ coding });
    const { error } = await world.read();
    assert.equal(error?.code, 'FAILURE_NEEDS_DECISION');
    assert.match(JSON.stringify(error.args), /same root cause.*escalate|escalate.*same root cause/);
    assert.equal(calls('coding').length, 3);
    assert.equal((await world.bead('greet')).status, 'error');
  });

  it('AT-20, AT-25: skips by itself what nothing needs, and the ticket says what is missing', async () => {
    await begin('auto', { beads: [{}, other] });
    world.answers({ coding: codes(), 'failure-analysis': advice('skip') });
    await world.drive({ coding }, 'RUNNING_FINAL_TEST');
    const bead = await world.bead('greet');
    assert.equal(bead.status, 'skipped');
    assert.match(bead.skipped?.reason ?? '', /written in capitals/);
    assert.equal((await world.json('bead_skip:greet'))?.['skipped_by'], 'analysis');
    const [summary] = await world.store.summaries([world.ticket]);
    assert.deepEqual([summary?.beadsDone, summary?.beadsSkipped], [1, 1]);
  });

  it('AT-20: skips nothing that others need, by itself or for a person, and names them', async () => {
    await begin('auto', { beads: [{}, { ...other, dependencies: { blocked_by: ['greet'], blocks: [] } }] });
    world.answers({ coding: codes(), 'failure-analysis': advice('skip') });
    await world.drive({ coding });
    assert.match(
      JSON.stringify((await world.read()).error?.args),
      /escalate.*depend on it: wave|depend on it: wave.*escalate/,
    );
    await decide({ bead: 'greet', choice: 'skip', reason: '' });
    const { error } = await world.read();
    assert.equal(error?.code, 'BEAD_SKIP_REFUSED');
    assert.match(JSON.stringify(error.args), /wave/);
    assert.equal((await world.bead('greet')).status, 'error');
  });

  it('with `suggest`, blocks with the analysis, and does what a person chooses', async () => {
    await begin('suggest', { beads: [{}, other] });
    world.answers({ coding: codes(), 'failure-analysis': advice('skip') });
    await world.drive({ coding });
    const { error } = await world.read();
    assert.equal(error?.code, 'FAILURE_NEEDS_DECISION');
    assert.ok(error.diagnostics['analysis']);
    await decide({ bead: 'greet', choice: 'skip', reason: 'Not now.' });
    await world.isIn('RUNNING_FINAL_TEST');
    assert.equal((await world.bead('greet')).skipped?.reason, 'Not now.');
    assert.ok((await kinds()).includes('greet 1 human_note'));
  });

  it('retries a bead with the reason as a note, and refuses what is no failed bead', async () => {
    await begin('suggest');
    let fixed = false;
    world.answers({ coding: codes(() => fixed), 'failure-analysis': advice('escalate') });
    await world.drive({ coding });
    await decide({ bead: 'nowhere', choice: 'skip', reason: '' });
    assert.equal((await world.read()).error?.code, 'BEAD_NOT_FAILED');
    fixed = true;
    await decide({ bead: 'greet', choice: 'retry', reason: 'Use lower case.' });
    await world.isIn('RUNNING_FINAL_TEST');
    assert.match(calls('coding').at(-1)?.whole ?? '', /Use lower case\./);
  });

  it('splits only by a person’s approval of exactly what was proposed, and rewires what waited', async () => {
    await begin('suggest', {
      beads: [{}, { ...other, dependencies: { blocked_by: ['greet'], blocks: [] } }],
    });
    const part = (id: string, blocked_by: readonly string[]) => ({
      id,
      title: `Part ${id}`,
      description: 'A part.',
      acceptanceCriteria: ['It is there'],
      testCommands: [`grep -q wave ${id}.txt`],
      issueType: 'feature',
      labels: ['part'],
      dependencies: { blocked_by },
      targetFiles: [`${id}.txt`],
    });
    const proposal = { beads: [part('part-one', []), part('part-two', ['part-one'])] };
    world.answers({
      coding: codes(),
      'failure-analysis': advice('split'),
      'plan-change': inJson(proposal),
    });
    await world.drive({ coding });
    assert.equal((await world.read()).error?.code, 'FAILURE_NEEDS_DECISION');
    await decide({ bead: 'greet', choice: 'split', reason: 'Too large.' });
    const { error } = await world.read();
    assert.equal(error?.code, 'PLAN_CHANGE_PROPOSED', JSON.stringify(error));
    assert.deepEqual(
      (await world.store.beads(world.ticket)).map(({ id }) => id),
      ['greet', 'wave'],
      'nothing is applied by itself',
    );
    await decide({ bead: 'greet', choice: 'approve', sha256: 'f'.repeat(64), reason: '' });
    assert.equal((await world.read()).error?.code, 'PLAN_CHANGE_FAILED');
    await decide({
      bead: 'greet',
      choice: 'approve',
      sha256: String(error.diagnostics['sha256']),
      reason: 'Fine.',
    });
    await world.isIn('RUNNING_FINAL_TEST');
    const beads = await world.store.beads(world.ticket);
    assert.deepEqual(
      beads.map(({ id, status }) => `${id} ${status}`),
      ['greet skipped', 'part-one done', 'part-two done', 'wave done'],
    );
    assert.deepEqual((await world.bead('wave')).dependencies.blocked_by, ['part-one', 'part-two']);
    assert.equal((await world.json('plan_change_receipt:greet'))?.['approved_by'], 'user');
    assert.match((await world.bead('greet')).skipped?.reason ?? '', /^Split into part-one, part-two/);
  });

  it('AT-23: continues a killed analysis where it was, and has each entry once', async () => {
    await begin('auto');
    world.answers({
      coding: ({ turn }) => works(turn === 1 ? 'HELLO\n' : 'hello\n'),
      'failure-analysis': ({ turn }) => {
        if (turn > 1) return advice('retry');
        world.crash();
        return die;
      },
    });
    await world.driveUntilKilled({ coding });
    await world.drive({ coding }, 'RUNNING_FINAL_TEST');
    assert.equal(brokenAt(await world.records()), undefined);
    const told = await kinds();
    assert.deepEqual(told, [...new Set(told)]);
  });

  it('AT-23: takes an answer that came before the kill, and asks no second time', async () => {
    await begin('auto');
    world.answers({
      coding: ({ turn }) => works(turn === 1 ? 'HELLO\n' : 'hello\n'),
      'failure-analysis': (call) => {
        if (speakerOf(call) === 'Winston') world.crash();
        return advice('retry');
      },
    });
    await world.driveUntilKilled({ coding });
    await world.drive({ coding }, 'RUNNING_FINAL_TEST');
    assert.deepEqual(calls('failure-analysis').map(speakerOf).toSorted(), ['Amelia', 'Bob', 'Winston']);
    const told = await kinds();
    assert.deepEqual(told, [...new Set(told)]);
    assert.ok(told.includes('greet 1 failure_analysis'));
  });

  it('AT-33: pivots once when nothing changes, then ends as stuck and is analysed; the counts are in the log', async () => {
    await begin('auto', { limits: { maxIterations: 1, maxContinuations: 10 } });
    const nothing = () => works('HELLO\n');
    world.answers({
      coding: nothing,
      'coding-continue': nothing,
      pivot: nothing,
      'failure-analysis': advice('escalate'),
    });
    await world.drive({ coding });
    assert.deepEqual(
      world.agent.tasks.filter((task) => task !== 'coding-note'),
      [
        'coding',
        'coding-continue',
        'coding-continue',
        'pivot',
        'coding-continue',
        ...Array<string>(3).fill('failure-analysis'),
      ],
    );
    const { error } = await world.read();
    assert.equal(error?.code, 'FAILURE_NEEDS_DECISION');
    assert.equal((error.diagnostics['failure'] as { readonly cause: string }).cause, 'no_progress');
    const log = world.events.flatMap((event) => (event.type === 'activity' ? [event.text] : []));
    assert.ok(
      log.some((text) => /check 3 failed: same files 3 of 3/.test(text)),
      log.join('\n'),
    );
    assert.match(calls('pivot')[0]?.text ?? calls('pivot')[0]?.whole ?? '', /hypotheses/);
  });
});
