import assert from 'node:assert/strict';
import * as z from 'zod';
import { Blueprint } from '../../../../../src/domain/beads/bead.ts';
import { InterviewDraft } from '../../../../../src/domain/requirements/interview.ts';
import { PrdDraft } from '../../../../../src/domain/requirements/prd.ts';
import type { Settings } from '../../../../../src/domain/settings/settings.ts';
import type { AgentReply } from '../../../../../src/engine/ports/ports.ts';
import type { Answer } from '../../../../../src/phases/shared/structured/askTypes.ts';
import { parseStructured } from '../../../../../src/phases/shared/structured/parseStructured.ts';
import { askIn, callFor } from '../../../../support/engine/colourCall.ts';
import type { FakeAnswer } from '../../../../support/models/fakeAgent.ts';
import { type PhaseWorld, phaseWorlds } from '../../../../support/engine/phaseWorld.ts';
import { sampleUsage } from '../../../../support/samples.ts';

const schema = z.object({ colours: z.array(z.string()).min(1) });
const written = (value: unknown): AgentReply => ({
  ok: true,
  text: JSON.stringify(value, null, 2),
  messageId: 'msg_1',
  usage: sampleUsage({ messageId: 'msg_1' }),
  tools: [],
  truncated: false,
  structured: true,
});

describe('an answer by a schema', () => {
  const worlds = phaseWorlds();

  async function put(
    settings: Partial<Settings>,
    ...answers: readonly FakeAnswer[]
  ): Promise<{ readonly world: PhaseWorld; readonly answer: Answer<z.infer<typeof schema>> | undefined }> {
    const world = await worlds('SCANNING_RELEVANT_FILES', settings);
    world.agent.writers.add('demo/main');
    world.agent.answer = () => answers[world.agent.calls.length - 1] ?? 'colours: [last]\nEND_OF_ANSWER';
    return { world, answer: await askIn(world, callFor(schema, 'COLOURS')) };
  }

  it('is asked for with the schema of the document, and goes through the same reader', async () => {
    const { world, answer } = await put(
      { structuredOutput: 'on' },
      written({ Colours: ['a: b', '1.10', '</COLOURS> `x`'] }),
    );
    assert.deepEqual(answer?.value, { colours: ['a: b', '1.10', '</COLOURS> `x`'] });
    assert.deepEqual(Object.keys(world.agent.calls[0]?.schema?.['properties'] ?? {}), ['colours']);
  });

  it('is repaired as a text if it isn’t the document', async () => {
    const { world, answer } = await put(
      { structuredOutput: 'on' },
      written({ shades: 3 }),
      'colours: [red]\nEND_OF_ANSWER',
    );
    assert.deepEqual(answer?.value, { colours: ['red'] });
    assert.deepEqual(
      world.agent.calls.map(({ session, task, schema: by }) => [session, task, by !== undefined]),
      [
        ['ses_1', 'interview-draft', true],
        ['ses_1', 'structured-repair', false],
      ],
    );
  });

  it('is asked for as text, once and in a fresh session, where the model can’t, whatever repairs are left', async () => {
    const cannot = {
      kind: 'unformatted',
      message: 'tool_choice',
      statusCode: 400,
      continuable: false,
    } as const;
    const { world, answer } = await put({ structuredOutput: 'on', structuredRetryCount: 0 }, cannot);
    assert.deepEqual(answer?.value, { colours: ['last'] });
    assert.deepEqual(
      world.agent.calls.map(({ session, schema: by }) => [session, by !== undefined]),
      [
        ['ses_1', true],
        ['ses_2', false],
      ],
    );
  });

  it('is not asked for when it is off, or the model isn’t known to write one', async () => {
    const { world } = await put({ structuredOutput: 'off' });
    assert.equal(world.agent.calls[0]?.schema, undefined);
    const other = await worlds('SCANNING_RELEVANT_FILES', {});
    assert.equal(other.agent.writers.size, 0);
    assert.equal((await other.ticket()).settings?.structuredOutput, 'auto');
  });

  it('can be had of the documents of planning', () => {
    for (const document of [InterviewDraft, PrdDraft, Blueprint]) {
      const { form } = parseStructured({ schema: document as z.ZodType });
      assert.equal(form?.schema['type'], 'object');
    }
    assert.equal(parseStructured({ schema: z.array(z.string()) }).form, undefined);
  });
});
