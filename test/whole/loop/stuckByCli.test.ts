import assert from 'node:assert/strict';
import type { ScriptInput } from '../../../src/demo/script/modelScript.ts';
import { ending, partOf, promptOf } from '../../support/cliTicket.ts';
import { type LoopByCli, loopsByCli, report, write } from '../../support/loopTicket.ts';
import { analysisText } from '../../support/models/failedBead.ts';

const analysis = analysisText({ recommendation: 'escalate', rootCause: 'It never says hello.' });

/** By the number of the pass; `pivot`: for the prompt that asks for another approach. */
function writes(words: Readonly<Record<string, string>>): ScriptInput['tasks'] {
  const coded = Object.entries(words).map(([pass, word]) => ({
    when: pass === 'pivot' ? { continuation: 1 } : { part: 'iteration', has: `Pass ${pass} ` },
    calls: [write('greet.txt', `${word}\n`)],
    text: report(),
  }));
  const advice = { calls: [], text: analysis };
  return { coding: coded.toSorted((a) => ('continuation' in a.when ? -1 : 1)), 'failure-analysis': [advice] };
}

describe('a loop without progress on the command line', function () {
  this.timeout(600_000);
  const makeLoop = loopsByCli();

  /** It ends as stuck, after it was told once to take another approach. */
  async function pivoted(loop: LoopByCli, ...words: readonly string[]): Promise<string> {
    const ended = await loop.run('--max', '10', '--iterations', '1', ...words);
    ending(14, ended);
    assert.match(ended.stdout, /there was no progress/);
    const pivots = loop.ticket
      .of('coding')
      .filter((sent) => sent.request.continuation === 1 && sent.request.step === 0);
    assert.equal(pivots.length, 1);
    const [pivot] = pivots;
    assert.ok(pivot);
    assert.match(promptOf(pivot), /# Beadsmith task: pivot\n[^]*State at least two hypotheses/);
    return partOf(pivot, 'failing_evidence') ?? '';
  }

  it('AT-33: is told to take another approach after three checks of the same files, and analysed after three more', async () => {
    const same = Object.fromEntries(['1', '2', '3', 'pivot', '5'].map((pass) => [pass, 'same']));
    const loop = await makeLoop({ tasks: writes(same) });
    const ways = ['--failure-analysis', 'inform', '--party-mode', 'solo', '--reviewer', 'scripted/beta'];
    assert.match(
      await pivoted(loop, ...ways),
      /No progress: the files were the same at 3 checks in a row\. \(same files 3 of 3/,
    );
    assert.deepEqual((await loop.passes()).slice(2), [
      '3 rejected null',
      '4 rejected null',
      '5 rejected stuck',
    ]);
    const analysed = loop.ticket.of('failure-analysis');
    assert.deepEqual([...new Set(analysed.map(({ request }) => request.model))], ['beta']);
    assert.match(promptOf(analysed[0] ?? assert.fail()), /No progress/);
    assert.match(
      await loop.ticket.documentText('bead-records.jsonl'),
      /failure_analysis[^]*It never says hello/,
    );
  });

  it('AT-33: is noticed when it goes back and forth between two states', async () => {
    const loop = await makeLoop({ tasks: writes({ 1: 'left', 2: 'right', 3: 'left', pivot: 'right' }) });
    assert.match(await pivoted(loop), /No progress: the files went back to what failed 2 checks ago/);
    assert.deepEqual((await loop.passes()).slice(2), ['3 rejected null', '4 rejected stuck']);
  });

  it('AT-33: is ended by runs that are too short to have tried anything', async () => {
    const loop = await makeLoop({
      tasks: writes({ 1: 'one', 2: 'two', 3: 'three', pivot: 'four', 5: 'five' }),
    });
    assert.match(await pivoted(loop), /No progress: 3 runs in a row took less than 30 s each/);
    assert.deepEqual((await loop.passes()).slice(2), [
      '3 rejected null',
      '4 rejected null',
      '5 rejected stuck',
    ]);
  });
});
