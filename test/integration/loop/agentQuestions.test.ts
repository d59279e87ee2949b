import assert from 'node:assert/strict';
import { readText } from '../../../src/domain/documents/base/text.ts';
import { BeadExecution } from '../../../src/domain/beads/reports.ts';
import { StoredSettings } from '../../../src/domain/settings/settings.ts';
import { coding } from '../../../src/phases/coding/coding.ts';
import { integrate } from '../../../src/phases/delivery/integrate.ts';
import { pullRequest } from '../../../src/phases/delivery/pullRequest.ts';
import { type ExecutionWorld, executionWorlds, report } from '../../support/engine/executionWorld.ts';
import { until } from '../../support/until.ts';

/** By the three ways in which a ticket lets it. */
describe('a question of an agent', () => {
  const newWorld = executionWorlds();
  const question = { header: 'Tone', text: 'Shall it shout?', options: [], multiple: false, custom: true };
  let world: ExecutionWorld;

  beforeEach(async () => {
    world = await newWorld();
    world.agent.asks = ({ task }) =>
      task === 'coding' ? { asked: 'q1', content: { kind: 'question', questions: [question] } } : undefined;
  });

  function codes(assumptions: readonly string[] = []): void {
    world.answers({
      coding: () => {
        world.write('greet.txt', 'hello\n');
        return report('greet').replace(
          '</DEV_RECORD>',
          `assumptions: ${JSON.stringify(assumptions)}\n</DEV_RECORD>`,
        );
      },
    });
  }

  async function assumed(): Promise<readonly string[] | undefined> {
    await world.isIn('RUNNING_FINAL_TEST');
    return BeadExecution.parse(await world.json('bead_execution:greet')).devRecord?.assumptions;
  }

  it('AT-36: holds the ticket until a person answers in mode `pause`, however long that takes', async () => {
    await world.begin('CODING', { settings: { agentQuestions: 'pause', aiQuestionWindow: 60_000 } });
    codes();
    const driving = world.drive({ coding });
    const { id, text } = await world.request();
    assert.equal(text, 'Shall it shout?');
    await world.clock.advance(20 * 60_000);
    assert.equal((await world.read()).hold?.request?.id, id, 'it still waits');
    await world.post('question_reply', { request: id, answers: [['Whisper.']] });
    await driving;
    assert.deepEqual(world.agent.decided, [{ kind: 'answers', answers: [['Whisper.']] }]);
    assert.deepEqual(await assumed(), []);
  });

  it('AT-36: can not be asked in mode `deny`; what the agent assumed is in the bead records and in the pull request', async () => {
    await world.begin('CODING', { settings: { agentQuestions: 'deny' } });
    codes(['It whispers.']);
    await world.drive({ coding });
    assert.deepEqual(world.agent.decided, ['not offered']);
    assert.match(
      world.agent.calls[0]?.whole ?? '',
      /nobody answers, decide what fits best and list it under `assumptions`/,
    );
    assert.deepEqual(await assumed(), ['It whispers.']);
    const records = (await world.store.artifact(world.ticket, 'bead_records'))?.content ?? '';
    const dev = records.split('\n').find((line) => line.includes('"kind":"dev"')) ?? '';
    assert.match(JSON.stringify(readText('json', dev)), /It whispers\./);
    await world.enter('INTEGRATING_CHANGES', { by: 'passed', body: null });
    await world.drive({ integrate, pullRequest });
    assert.match(world.forge.published[0]?.body ?? '', /## Assumptions[^]*- greet: It whispers\./);
  });

  it('AT-36: is left to the agent after its window in mode `timed`, as a recorded assumption', async () => {
    await world.begin('CODING', { settings: { agentQuestions: 'timed', aiQuestionWindow: 60_000 } });
    codes();
    const driving = world.drive({ coding });
    await world.request();
    await until(async () => {
      await world.clock.advance(30_000);
      return (await world.read()).hold === null;
    }, 'the window ends');
    await driving;
    assert.deepEqual(world.agent.decided, [{ kind: 'none' }]);
    assert.deepEqual(await assumed(), ['Nobody answered “Shall it shout?”, so the agent decided.']);
  });

  it('is read from tickets of earlier versions, which only knew yes and no', () => {
    const modes = [true, false].map(
      (aiQuestionsEnabled) =>
        StoredSettings.parse({ mainImplementer: 'demo/main', aiQuestionsEnabled }).agentQuestions,
    );
    assert.deepEqual(modes, ['timed', 'deny']);
  });
});
