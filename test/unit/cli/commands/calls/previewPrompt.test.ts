import assert from 'node:assert/strict';
import { engineSource } from '../../../../../src/domain/ticket/agentRequest.ts';
import { CommandBench } from '../../../../support/commandBench.ts';

const question = {
  topic: 'prompt_preview' as const,
  header: 'Next prompt',
  text: 'You are told this.\u001B',
  options: [],
  multiple: false,
  custom: true,
};

/** A ticket that waits with its next prompt, or with what an agent asks. */
function waiting(source = engineSource): CommandBench {
  const request = {
    id: 'req-1',
    source,
    since: 0,
    until: 1,
    content: { kind: 'question' as const, questions: [question] },
  };
  return new CommandBench({
    ticket: { status: 'CODING', hold: { kind: 'question', since: 0, detail: '', request } },
    requests: [request],
  });
}

describe('context --preview', () => {
  it('sends the wish, and reads the prompt once the ticket has stopped', async () => {
    const bench = waiting();
    await bench.run('context TST-1 --preview');
    assert.deepEqual(bench.sent, [['preview_prompt', {}]]);
    assert.deepEqual(
      [bench.opened.map(({ drive }) => drive), bench.app.started, bench.app.disposed],
      [[true, false], [['TST-1']], 2],
    );
  });

  it('prints the whole prompt that waits, before the end', async () => {
    const bench = waiting();
    const { types, all, exit, end } = await bench.json('context TST-1 --preview');
    assert.deepEqual(types.slice(-2), ['document', 'end']);
    assert.deepEqual(all('document'), [
      { type: 'document', ticket: 'TST-1', name: 'prompt', sha256: null, content: question.text },
    ]);
    assert.deepEqual([exit, end?.exit], [3, 3]);
    const { out } = await waiting().run('context TST-1 --preview');
    assert.match(out, /You are told this\./);
    assert.doesNotMatch(out, /\u001B/);
  });

  it('says that none waits, also where an agent asks something of that name', async () => {
    for (const bench of [new CommandBench(), waiting('a/b')]) {
      const { out } = await bench.run('context TST-1 --preview');
      assert.match(out, /No prompt is waiting\. The next one will wait, if the ticket still needs one\./);
      assert.deepEqual((await bench.json('context TST-1 --preview')).all('document'), []);
    }
  });
});
