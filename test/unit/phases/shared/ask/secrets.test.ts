import assert from 'node:assert/strict';
import * as z from 'zod';
import { ask } from '../../../../../src/phases/shared/ask/ask.ts';
import type { Question } from '../../../../../src/phases/shared/ask/askTypes.ts';
import { parseStructured } from '../../../../../src/phases/shared/structured/parseStructured.ts';
import { type PhaseWorld, phaseWorlds } from '../../../../support/engine/phaseWorld.ts';

/** A token as a provider makes them, put together so that no scanner finds it here. */
const token = ['ghp', 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('_');
const schema = z.object({ colour: z.string(), list: z.array(z.string()).default([]) });
const question: Question<z.infer<typeof schema>> = {
  key: 'colour',
  contextKey: 'interview_draft',
  prompt: 'interview-draft',
  member: 'demo/main',
  parse: parseStructured({ schema }),
  result: schema,
  activeMs: 60_000,
};

describe('a secret that a model quotes', () => {
  const worlds = phaseWorlds();
  let world: PhaseWorld;
  const put = async (): Promise<z.infer<typeof schema> | undefined> => {
    let value: z.infer<typeof schema> | undefined;
    await world.drive({
      version: 1,
      run: async (run, ticket) => {
        ({ value } = await ask(run, ticket, question));
        await run.wait('never', ['merge']);
        return { exit: 'never' };
      },
    });
    return value;
  };
  const stored = async (): Promise<string> =>
    JSON.stringify([await world.store.journal('TST-1'), await world.store.calls('TST-1'), await world.store.inbox('TST-1')]);

  beforeEach(async () => {
    world = await worlds('SCANNING_RELEVANT_FILES');
  });

  it('is in no answer, and the answer is read as it was meant', async () => {
    world.agent.answer = () => `colour: ${token}\nlist:\n  - ${token}\n  - blue\n`;
    assert.deepEqual(await put(), { colour: '(redacted github)', list: ['(redacted github)', 'blue'] });
    assert.ok(!(await stored()).includes(token));
  });

  it("is neither stored nor sent back when the answer can't be used", async () => {
    world.agent.answer = (call) => (call.task === 'structured-repair' ? 'colour: blue' : `color: "${token}"`);
    assert.equal((await put())?.colour, 'blue');
    assert.ok(!(world.agent.calls[1]?.whole ?? '').includes(token));
    assert.match(world.agent.calls[1]?.whole ?? '', /color: "\(redacted github\)"/);
    assert.ok(!(await stored()).includes(token));
  });

  it('is not in a call that failed, nor in what people are told of it', async () => {
    const usage = null;
    const failure = { kind: 'auth', message: `${token} was refused`, statusCode: 401, continuable: true } as const;
    world.agent.answer = () => ({ ok: false, failure, partial: `half of ${token}`, usage, tools: [] });
    await assert.rejects(put(), (error: Error) => !error.message.includes(token));
    assert.ok(!(await stored()).includes(token));
  });
});
