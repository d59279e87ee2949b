import assert from 'node:assert/strict';
import { phasesThatAreOff, plannedPhases } from '../../../src/context/plannedPhases.ts';
import { completeSettings, type Settings } from '../../../src/domain/settings.ts';

const settings = (fields: Partial<Settings> = {}): Settings => completeSettings({ mainImplementer: 'demo/main', review: 'off', ...fields });
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
    assert.ok(quick.includes('PLANNING_QUICK') && !quick.includes('DRAFTING_PRD'));
    assert.ok(quick.indexOf('WAITING_MANUAL_QA') < quick.indexOf('WRITING_RETROSPECTIVE'));
  });

  it('AT-16: name each call with its slices and sections, and how many members are asked', () => {
    const council = settings({ councilMembers: ['demo/other'], review: 'standard' });
    const calls = plannedPhases(council).flatMap((phase) => phase.calls);
    const of = (context: string) => calls.find((call) => call.context === context);
    assert.deepEqual([of('prd_draft')?.members, of('prd_refine')?.members], [2, 1]);
    assert.deepEqual(of('prd_draft')?.slices, ['relevant_files', 'ticket_details', 'full_answers']);
    assert.ok(of('prd_draft')?.sections.includes('ticket_handoff'));
    assert.deepEqual(of('review')?.slices, ['bead_data']);
    assert.ok(of('review')?.sections.every((name) => !['handoff', 'ticket_handoff', 'failing_evidence'].includes(name)));
    assert.equal(of('context_wipe'), undefined);
  });

  it('AT-16: leave out calls of stages that are off, and say what is off', () => {
    const off = settings();
    assert.ok(plannedPhases(off).every(({ calls }) => calls.every(({ context }) => context !== 'review' && context !== 'retrospective')));
    assert.ok(phasesThatAreOff(off).includes('Review') && phasesThatAreOff(off).includes('Writing the retrospective'));
    assert.deepEqual(
      phasesThatAreOff(
        settings({ review: 'standard', kickoff: true, failureAnalysis: 'auto', retrospective: true, manualQaEnabled: true }),
      ),
      [],
    );
  });
});
