import assert from 'node:assert/strict';
import { callsOfBead, phasesThatAreOff, plannedPhases } from '../../../src/context/plannedPhases.ts';
import { completeSettings, type Settings } from '../../../src/domain/settings/settings.ts';

const settings = (fields: Partial<Settings> = {}): Settings =>
  completeSettings({ mainImplementer: 'demo/main', review: 'off', ...fields });
const statuses = (of: Settings): readonly string[] => plannedPhases(of).map(({ status }) => status);

describe('the phases of a ticket before it starts', () => {
  it('AT-16: are those of its depth and of what is on, in order', () => {
    const solo = statuses(settings({ depth: 'solo' }));
    assert.deepEqual([solo[0], solo[1], solo.at(-1)], ['DRAFT', 'SCANNING_RELEVANT_FILES', 'COMPLETED']);
    for (const status of [
      'PLANNING_QUICK',
      'WAITING_PLAN_APPROVAL',
      'WAITING_MANUAL_QA',
      'WRITING_RETROSPECTIVE',
      'BLOCKED_ERROR',
      'CANCELED',
    ])
      assert.ok(!solo.includes(status), status);
    const quick = statuses(settings({ depth: 'quick', manualQaEnabled: true, retrospective: true }));
    assert.ok(
      quick.includes('PLANNING_QUICK') &&
        !quick.includes('DRAFTING_PRD') &&
        !quick.includes('PREPARING_LOOP'),
    );
    assert.ok(quick.indexOf('WAITING_MANUAL_QA') < quick.indexOf('WRITING_RETROSPECTIVE'));
  });

  it('AT-16: name each call with its slices and sections, and how many members are asked', () => {
    const council = settings({ councilMembers: ['demo/other'], review: 'standard' });
    const calls = plannedPhases(council).flatMap((phase) => phase.calls);
    const two = { low: 2, high: 2 };
    const of = (context: string) => calls.find((call) => call.context === context);
    assert.deepEqual([of('prd_draft')?.calls, of('prd_refine')?.calls], [two, { low: 1, high: 1 }]);
    assert.deepEqual(of('prd_draft')?.slices, ['relevant_files', 'ticket_details', 'full_answers']);
    assert.ok(of('prd_draft')?.sections.includes('ticket_handoff'));
    assert.deepEqual(of('review')?.slices, ['bead_data']);
    assert.ok(
      of('review')?.sections.every(
        (name) => !['handoff', 'ticket_handoff', 'failing_evidence'].includes(name),
      ),
    );
    assert.equal(of('context_wipe'), undefined);
  });

  const party = {
    review: 'party',
    kickoff: true,
    failureAnalysis: 'suggest',
    retrospective: true,
    reviewer: 'demo/other',
  } as const;
  const counts = (of: Settings) => {
    const calls = plannedPhases(of).flatMap((phase) => phase.calls);
    return (context: string) => {
      const call = calls.find((one) => one.context === context);
      return call && [call.calls.low, call.calls.high, call.per];
    };
  };

  it('AT-16: count a session for each persona, the second round, and reviews from the first to the last', () => {
    const of = counts(settings(party));
    assert.deepEqual(of('kickoff'), [3, 3, 'bead']);
    assert.deepEqual(of('review'), [3, 18, 'bead']);
    assert.deepEqual(of('fix'), [0, 2, 'bead']);
    assert.deepEqual(of('failure_analysis'), [3, 3, 'failure']);
    assert.deepEqual(of('retrospective'), [4, 4, 'ticket']);
    assert.deepEqual(callsOfBead(plannedPhases(settings(party))), { low: 7, high: 24 });
    assert.deepEqual(counts(settings({ ...party, partyRounds: 1 }))('review'), [3, 9, 'bead']);
    assert.deepEqual(counts(settings({ ...party, personas: ['own', 'amelia'] }))('review'), [2, 12, 'bead']);
    assert.deepEqual(counts(settings({ review: 'standard' }))('review'), [1, 3, 'bead']);
    assert.deepEqual(counts(settings({ minPasses: 2, maxPasses: 5 }))('coding'), [2, 5, 'bead']);
    assert.equal(counts(settings())('failure_analysis'), undefined);
  });

  it('AT-16: count one session for a party that is solo, by its setting or with one model', () => {
    const solo = counts(settings({ ...party, partyMode: 'solo' }));
    assert.deepEqual(
      [solo('kickoff'), solo('review'), solo('retrospective')],
      [
        [1, 1, 'bead'],
        [1, 3, 'bead'],
        [1, 1, 'ticket'],
      ],
    );
    const oneModel = counts(settings({ ...party, reviewer: '' }));
    assert.deepEqual(
      [oneModel('kickoff'), oneModel('failure_analysis')],
      [
        [3, 3, 'bead'],
        [1, 1, 'failure'],
      ],
    );
    assert.deepEqual(oneModel('retrospective'), [1, 1, 'ticket']);
    assert.deepEqual(
      counts(settings({ ...party, reviewer: '', personas: ['own', 'amelia'] }))('retrospective'),
      [1, 2, 'ticket'],
    );
  });

  it('AT-16: leave out calls of stages that are off, and say what is off', () => {
    const off = settings();
    assert.ok(
      plannedPhases(off).every(({ calls }) =>
        calls.every(({ context }) => context !== 'review' && context !== 'retrospective'),
      ),
    );
    assert.ok(
      phasesThatAreOff(off).includes('Review') && phasesThatAreOff(off).includes('Writing the retrospective'),
    );
    assert.deepEqual(
      phasesThatAreOff(
        settings({
          review: 'standard',
          kickoff: true,
          failureAnalysis: 'auto',
          retrospective: true,
          manualQaEnabled: true,
        }),
      ),
      [],
    );
  });
});
