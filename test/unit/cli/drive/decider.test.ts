import assert from 'node:assert/strict';
import { CommandBench } from '../../../support/commandBench.ts';

const decision = {
  id: 'e',
  ticket: 'TST-1',
  kind: 'close',
  body: { reason: 'Not\nneeded', deleteWorktree: false },
} as const;

describe('a decision on the command line', () => {
  /** What becomes of a decision of an action that is filed by this command. */
  async function decided(types: CommandBench['types'], line = 'close TST-1 --no-wait') {
    const bench = new CommandBench();
    if (types) bench.types = types;
    const { act } = bench.app.client;
    let refused: unknown;
    bench.app.client.act = async (ticket, kind, body) => {
      await bench.opened[0]?.decisions.decide(decision).catch((error: unknown) => (refused = error));
      return act(ticket, kind, body);
    };
    await bench.run(line);
    return { code: (refused as { code?: string } | undefined)?.code, bench };
  }

  it('is shown to the person, who confirms it by repeating a word', async () => {
    const { code, bench } = await decided('the word');
    assert.equal(code, undefined);
    assert.match(
      bench.questions[0] ?? '',
      /^TST-1: close\n {2}reason: "Not\\nneeded"\n {2}deleteWorktree: false\nTo confirm, type [a-z]{6}: $/,
    );
  });

  it('isn’t made without that word, or without a terminal', async () => {
    assert.equal((await decided('something else')).code, 'DECISION_NOT_CONFIRMED');
    assert.equal((await decided(undefined)).code, 'DECISION_NEEDS_PERSON');
  });

  it('asks for another word each time', async () => {
    const { bench } = await decided('the word');
    for (let n = 0; n < 3; n++) await bench.run('close TST-1 --no-wait');
    assert.ok(new Set(bench.questions).size > 1);
  });

  it('isn’t asked about at gates, where the policy answers them while the ticket is driven', async () => {
    const bench = new CommandBench({ gate: { artifact: 'prd', sha256: 'c'.repeat(64) } });
    const { act } = bench.app.client;
    const made: string[] = [];
    bench.app.client.act = async (ticket, kind, body) => {
      await bench.opened[0]?.decisions.decide({ ...decision, kind: 'approve', body: {} }).then(
        () => made.push(kind),
        () => made.push(`${kind} refused`),
      );
      return act(ticket, kind, body);
    };
    await bench.run('pause TST-1 --approve prd');
    assert.deepEqual(made.slice(0, 2), ['pause refused', 'approve']);
  });

  it('is never made by a command that only reads', async () => {
    const bench = new CommandBench();
    bench.types = 'the word';
    await bench.run('doctor');
    await bench.run('personas');
    for (const { decisions } of bench.opened)
      await assert.rejects(decisions.decide(decision), { code: 'DECISION_NEEDS_PERSON' });
    assert.deepEqual(bench.questions, []);
  });
});
