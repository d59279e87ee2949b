import assert from 'node:assert/strict';
import { PrefixCache } from '../../support/models/promptCaches.ts';
import { type CliTicket, cliTickets, ending, partOf, promptOf } from '../../support/cliTicket.ts';

function near(found: number, expected: number): void {
  assert.ok(Math.abs(found - expected) < 1e-9, `${String(found)} instead of ${String(expected)}`);
}

/** The provider keeps prompts as real ones do. */
describe('the Context Inspector on the command line', function () {
  this.timeout(600_000);
  const makeTicket = cliTickets();
  const calls = async (ticket: CliTicket) =>
    ending(0, await ticket.cli('context', 'SAMPL-1')).flatMap((event) =>
      event.type === 'inspection' ? [event] : [],
    );

  it('AT-4 and AT-14: shows rows whose sum is what the provider counted and charged, and keeps predictions and reports apart', async () => {
    const model = { cost: { input: 3, output: 15, cache_read: 0.3, cache_write: 3.75 } };
    const ticket = await makeTicket({ provider: 'deepseek', cache: new PrefixCache(), model });
    ending(0, await ticket.run('--review', 'off', '--depth', 'solo'));
    const shown = await calls(ticket);
    const asked = ticket.sent.filter(({ request }) => request.task !== 'unknown');
    assert.ok(shown.length > 5);
    for (const { parts, frameTokens, reported, predicted, prompt, cost } of shown) {
      assert.ok(cost, prompt);
      assert.equal(cost.isListPrice, false, 'OpenCode books what it knows the price of');
      near(
        parts.reduce((sum, part) => sum + (part.cost ?? 0), 0) + cost.frame + cost.later + cost.output,
        cost.total,
      );
      assert.ok(reported, prompt);
      const counted = parts.reduce((sum, { tokens }) => sum + tokens, 0);
      assert.equal(counted + (frameTokens ?? 0), reported.prompt, prompt);
      assert.ok(
        asked.some(
          ({ request }) =>
            request.tokens.prompt === reported.prompt && request.tokens.cached === reported.cacheRead,
        ),
        prompt,
      );
      assert.notEqual(predicted.tokens, null, 'it is known how this provider caches');
      assert.ok(
        parts.every(({ tokens }) => tokens > 0),
        'AT-10: nothing that is empty is sent or counted',
      );
    }
    // To the token.
    const [used] = ending(0, await ticket.cli('usage', 'SAMPL-1')).filter((event) => event.type === 'usage');
    const counted = ticket.sent.reduce(
      (sum, { request }) => sum + request.tokens.prompt + request.tokens.completion,
      0,
    );
    assert.deepEqual(
      [used?.total.tokens, used?.total.cacheRead],
      [counted, ticket.sent.reduce((sum, { request }) => sum + request.tokens.cached, 0)],
    );
    near(
      used?.total.money ?? 0,
      shown.reduce((sum, { cost }) => sum + (cost?.total ?? 0), 0),
    );
    const [parts] = ending(0, await ticket.cli('usage', 'SAMPL-1', '--by', 'part')).filter(
      (event) => event.type === 'usage',
    );
    near(parts?.total.money ?? 0, used?.total.money ?? 0);
    assert.equal(parts?.total.tokens, counted, 'the shares of parts add up to the ledger');
    assert.ok(parts.rows.some(({ key, money }) => key === 'bead_data' && (money ?? 0) > 0));
    const written = ending(0, await ticket.cli('context', 'SAMPL-1', '--export', 'csv')).find(
      (event) => event.type === 'document',
    );
    assert.match(written?.content ?? '', /bead_data/);
    const cheap = shown.flatMap(({ parts }) => parts).find(({ reported }) => reported === 'hit');
    near(cheap?.cost ?? 0, ((cheap?.tokens ?? 0) * 0.3) / 1e6);
    // A later prompt of a session begins with all that was said in it.
    const answers = shown.filter(({ prompt }) => prompt === 'interview-answers');
    assert.ok(answers.length > 1);
    for (const { predicted, reported } of answers) {
      assert.equal(predicted.kind, 'none');
      const difference = Math.abs((predicted.tokens ?? 0) - (reported?.cacheRead ?? 0));
      assert.ok(
        difference <= 128,
        `predicted ${String(predicted.tokens)}, reported ${String(reported?.cacheRead)}`,
      );
    }
  });

  it('shows the text of a prompt, what differs from another one, and why it differs', async () => {
    const coding = [{ when: { iteration: 1 }, text: 'Nothing.' }];
    const ticket = await makeTicket({ provider: 'deepseek', cache: new PrefixCache(), tasks: { coding } });
    ending(0, await ticket.run('--review', 'off', '--iterations', '2', '--continuations', '0'));
    const shown = (await calls(ticket)).filter(({ prompt }) => prompt === 'coding');
    const [first, second] = shown;
    assert.ok(first && second);
    assert.deepEqual([second.predicted.kind, second.predicted.culprit], ['slice-added', 'bead_notes']);
    assert.ok(
      (second.predicted.tokens ?? 0) >= 1_024 && (second.reported?.cacheRead ?? 0) >= 1_024,
      'the second iteration begins like the first',
    );
    const of = (name: string) => second.parts.find((part) => part.name === name);
    assert.notEqual(of('bead_data')?.reported, 'miss');
    assert.equal(of('bead_notes')?.reported, 'miss');
    assert.equal(
      of('bead_data')?.changedAt,
      first.parts.find(({ name }) => name === 'bead_data')?.changedAt,
      'it moves only with the content',
    );

    const read = async (...words: string[]) =>
      ending(0, await ticket.cli('context', 'SAMPL-1', String(second.number), ...words)).find(
        (event) => event.type === 'document',
      )?.content ?? '';
    const sent = ticket.sent.find(({ request }) => request.task === 'coding' && request.iteration === 2);
    assert.ok(sent);
    assert.ok(promptOf(sent).endsWith(await read('--text')), 'it is what was sent, to the letter');
    const difference = await read('--diff', String(first.number));
    assert.match(difference, /^\+## bead_notes$/m);
    assert.doesNotMatch(difference, /^[+-]## bead_data$/m);
  });

  it('AT-11: sends what changed longest ago first, where a person wants it so', async () => {
    const ticket = await makeTicket({ tasks: { coding: [{ when: { iteration: 1 }, text: 'Nothing.' }] } });
    ending(
      0,
      await ticket.run(
        '--review',
        'off',
        '--iterations',
        '2',
        '--continuations',
        '0',
        '--prompt-order',
        'recency',
      ),
    );
    const [first, second] = (await calls(ticket)).filter(({ prompt }) => prompt === 'coding');
    assert.ok(first && second);
    for (const { parts } of [first, second]) {
      const sent = parts.slice(1).map(({ name, changedAt }) => ({ name, changedAt }));
      const sorted = sent.toSorted(
        (one, other) => one.changedAt - other.changedAt || (one.name < other.name ? -1 : 1),
      );
      assert.deepEqual(sent, sorted);
    }
    const names = second.parts.map(({ name }) => name);
    assert.ok(
      names.indexOf('bead_data') < names.indexOf('bead_notes') &&
        names.indexOf('host') < names.indexOf('report_nonce'),
    );
    const text = promptOf(
      ticket.of('coding').find(({ request }) => request.iteration === 2) ?? assert.fail(),
    );
    const places = names.slice(1).map((name) => text.indexOf(`\n## ${name}\n`));
    assert.deepEqual(
      places,
      places.toSorted((one, other) => one - other),
      'it is what was sent',
    );
  });

  it('AT-12: holds prompts to the window of the model, and says which part was shortened', async () => {
    const long = Array.from(
      { length: 900 },
      (_, at) => `- Rule ${String(at)}: name things as the glossary does.`,
    ).join('\n');
    const ticket = await makeTicket({
      files: { 'AGENTS.md': `# Rules\n\n${long}\n` },
      model: { limit: { context: 8_000, output: 1_000 } },
    });
    ending(0, await ticket.run('--review', 'off'));
    const shown = await calls(ticket);
    assert.deepEqual(
      [...new Set(shown.filter(({ prompt }) => prompt !== 'capability-probe').map(({ budget }) => budget))],
      [6_600],
    );
    for (const { parts } of shown)
      assert.ok(parts.reduce((sum, { tokens }) => sum + tokens, 0) <= 6_600 * 1.1);
    const coding = shown.find(({ prompt }) => prompt === 'coding');
    assert.match(JSON.stringify(coding?.['reductions']), /"repository_rules","action":"shrunk"/);
  });

  it('waits with a prompt until a person has seen it, and sends it without what they leave out', async () => {
    const ticket = await makeTicket();
    const waiting = await ticket.run('--review', 'off', '--preview-prompts', 'coding');
    assert.equal(waiting.code, 3, waiting.stdout);
    assert.equal(ticket.of('coding').length, 0, 'nothing is sent before');
    const shown = (await ticket.cli('show', 'SAMPL-1')).stdout;
    assert.match(
      shown,
      /The prompt coding is about to be sent to scripted\/alpha[^]*- bead_data: \d+ tokens[^]*# Beadsmith task: coding/,
    );
    ending(0, await ticket.cli('reply', 'SAMPL-1', 'Leave out host', '--no-wait'));
    ending(0, await ticket.cli('run', 'SAMPL-1', '--approve', 'all', ...ticket.driving));
    const [sent] = ticket.of('coding');
    assert.ok(sent && partOf(sent, 'bead_data') !== undefined);
    assert.equal(partOf(sent, 'host'), undefined);
    const coding = (await calls(ticket)).find(({ prompt }) => prompt === 'coding');
    assert.match(JSON.stringify(coding?.['left']), /"name":"host","kind":"section","reason":"excluded"/);
  });
});
