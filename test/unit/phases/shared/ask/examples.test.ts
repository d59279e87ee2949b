import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { InterviewDraft } from '../../../../../src/domain/requirements/interview.ts';
import { parseStructured } from '../../../../../src/phases/shared/structured/parseStructured.ts';
import { endMark } from '../../../../../src/context/promptFile.ts';
import { askIn, callFor } from '../../../../support/engine/colourCall.ts';
import { phaseWorlds } from '../../../../support/engine/phaseWorld.ts';

describe('the example of a prompt', () => {
  const worlds = phaseWorlds();

  it('is never an answer, in whatever form it is sent back', async () => {
    const world = await worlds('SCANNING_RELEVANT_FILES');
    const prompt = readFileSync(
      join(import.meta.dirname, '../../../../../prompts/interview-draft.md'),
      'utf8',
    );
    const example = /```yaml\n([\s\S]*?)```/.exec(prompt)?.[1] ?? '';
    const parse = parseStructured({ schema: InterviewDraft });
    const read = parse(`${example}${endMark}`);
    assert.ok(read.ok);
    const own = 'questions:\n  - id: Q01\n    phase: foundation\n    question: May it greet twice?';
    const texts = [JSON.stringify(read.value), `${own}\n${endMark}`];
    world.agent.answer = () => texts.shift() ?? assert.fail('asked too often');
    const answer = await askIn(world, callFor(InterviewDraft));
    assert.equal(answer?.value.questions.length, 1);
    assert.match(world.agent.calls[1]?.text ?? '', /only repeats a document that is in the prompt/);
  });
});
