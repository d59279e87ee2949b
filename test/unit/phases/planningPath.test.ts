import assert from 'node:assert/strict';
import { parse, stringify } from 'yaml';
import { planHash } from '../../../src/domain/beads/beadPlan.ts';
import { Interview } from '../../../src/domain/requirements/interview.ts';
import { behaviour } from '../../../src/phases/index.ts';
import {
  beads,
  ballot,
  clean,
  cleanPlan,
  cleanPrd,
  expansion,
  prd,
  questions,
  scanAnswer,
} from '../../support/models/planningAnswers.ts';
import { ExecutionWorld } from '../../support/engine/executionWorld.ts';
import { tempRepository } from '../../support/git/tempRepository.ts';

const ask = (...list: readonly object[]): string =>
  `<INTERVIEW_BATCH>\n${stringify({ batch_number: 1, questions: list.map((item) => ({ answer_type: 'free_text', ...item })) })}</INTERVIEW_BATCH>`;
const last = { id: 'QFF1', question: 'Anything else?' };

const ended =
  '<INTERVIEW_COMPLETE>\nsummary: {}\nsettled:\n  - id: Q03\n    reason: Somebody is always there.\n</INTERVIEW_COMPLETE>';

describe('planning on the real engine', () => {
  let world: ExecutionWorld;
  const stops: string[] = [];
  const { preflight: _later, ...handlers } = behaviour.handlers;
  const drive = async (): Promise<void> => {
    const idle = await world.drive(handlers);
    const { status, error } = await world.read();
    stops.push(`${status} ${idle.state}${error ? ` ${error.code} ${JSON.stringify(error.args)}` : ''}`);
  };
  const hash = async (type: 'interview' | 'prd'): Promise<string> =>
    (await world.store.artifact(world.ticket, type))?.info.sha256 ?? '';

  beforeEach(async () => {
    stops.length = 0;
    world = new ExecutionWorld(await tempRepository());
    world.answers({
      'relevant-files-scan': scanAnswer,
      'interview-draft': stringify({ questions }),
      'interview-vote': ballot(10, 10),
      'interview-refine': stringify({ questions, changes: [] }),
      'interview-qa': ask(questions[0], questions[1]),
      'interview-answers': (call) => (call.text.includes('QFF1') ? ended : ask(last)),
      'interview-coverage': clean,
      'full-answers': stringify({ questions: [{ id: 'Q02', answer: { free_text: 'English.' } }] }),
      'prd-draft': stringify(prd),
      'prd-vote': ballot(10, 10),
      'prd-refine': stringify({ ...prd, changes: [] }),
      'prd-coverage': cleanPrd.replace('status:', '  - id: QFF1\n    note: Nothing else was said.\nstatus:'),
      'beads-draft': stringify({ beads }),
      'beads-vote': ballot(10, 10),
      'beads-refine': stringify({ beads, changes: [] }),
      'beads-coverage': cleanPlan,
      'beads-expand': expansion([], ['greet-by-name']),
    });
  });

  afterEach(() => world.remove());

  const toBeadsGate = async (): Promise<void> => {
    await drive();
    await world.post('answer', {
      batch: 1,
      answers: { Q01: given('All.'), Q02: { ...given(''), skipped: true } },
    });
    await drive();
    await world.post('answer', { batch: 2, answers: { QFF1: given('No.') } });
    await drive();
    await world.post('approve', { sha256: await hash('interview'), reason: '' });
    await drive();
    await world.post('approve', { sha256: await hash('prd'), reason: '' });
    await drive();
  };

  it('goes from the scan to the approved beads, stopping at every gate, and an edit of the interview leads back', async () => {
    await world.begin('SCANNING_RELEVANT_FILES', {
      settings: { depth: 'full', councilMembers: ['demo/second'] },
    });
    await toBeadsGate();
    assert.deepEqual(stops, [
      'WAITING_INTERVIEW_ANSWERS waiting',
      'WAITING_INTERVIEW_ANSWERS waiting',
      'WAITING_INTERVIEW_APPROVAL waiting',
      'WAITING_PRD_APPROVAL waiting',
      'WAITING_BEADS_APPROVAL waiting',
    ]);
    const approved = Interview.parse(
      parse((await world.store.artifact(world.ticket, 'interview'))?.content ?? ''),
    );
    const edited = { ...approved, summary: { ...approved.summary, goals: ['Greet them all.'] } };
    const before = world.agent.tasks.length;
    await world.post('edit', {
      artifact: 'interview',
      baseSha256: await hash('interview'),
      content: stringify(edited),
      surface: 'raw',
    });
    await drive();
    assert.equal(stops.at(-1), 'WAITING_PRD_APPROVAL waiting');
    assert.ok(
      world.agent.calls
        .slice(before)
        .some((call) => call.task === 'prd-draft' && call.whole.includes('Greet them all.')),
    );
    await world.post('approve', { sha256: await hash('prd'), reason: '' });
    await drive();
    await world.post('approve', { sha256: planHash(await world.store.beads(world.ticket)), reason: '' });
    await drive();
    assert.equal((await world.read()).status, 'PRE_FLIGHT_CHECK');
    assert.deepEqual(await world.store.verify(world.ticket).then((chain) => chain.ok), true);
  });

  it('goes the same way alone, without a vote', async () => {
    await world.begin('SCANNING_RELEVANT_FILES');
    await toBeadsGate();
    assert.equal(stops.at(-1), 'WAITING_BEADS_APPROVAL waiting');
    assert.ok(!world.agent.tasks.some((task) => task.endsWith('-vote')));
    assert.equal(world.agent.tasks.filter((task) => task.endsWith('-draft')).length, 3);
  });

  it('regenerates with the note, in a new attempt', async () => {
    await world.begin('SCANNING_RELEVANT_FILES');
    await toBeadsGate();
    const before = world.agent.calls.length;
    await world.post('regenerate', { note: 'Use one bead only.' });
    await drive();
    assert.equal(stops.at(-1), 'WAITING_BEADS_APPROVAL waiting');
    assert.equal((await world.read()).attempts['DRAFTING_BEADS'], 2);
    assert.match(world.agent.calls[before]?.whole ?? '', /Use one bead only\./);
  });

  it('never sends a prompt twice, wherever it is killed', async () => {
    await world.begin('SCANNING_RELEVANT_FILES');
    for (const task of ['relevant-files-scan', 'interview-draft', 'interview-refine', 'interview-qa']) {
      const answer = world.agent.answer;
      let killed = false;
      world.agent.answer = (call) => {
        if (call.task === task && !killed) {
          killed = true;
          world.crash();
        }
        return answer(call);
      };
      await world.driveUntilKilled(handlers);
      world.agent.answer = answer;
    }
    await drive();
    assert.equal(stops.at(-1), 'WAITING_INTERVIEW_ANSWERS waiting');
    assert.deepEqual(world.agent.tasks, [
      'relevant-files-scan',
      'interview-draft',
      'interview-refine',
      'interview-qa',
    ]);
  });
});

function given(text: string): { selected_option_ids: string[]; free_text: string; skipped: boolean } {
  return { selected_option_ids: [], free_text: text, skipped: false };
}
