import assert from 'node:assert/strict';
import { sha256 } from '../../../../src/base/sha256.ts';
import { newContextEntry } from '../../../../src/domain/prompts/contextEntries.ts';
import { CommandBench, itRefuses, itSends } from '../../../support/commandBench.ts';
import { ticketView } from '../../../support/fakes/fakeClient.ts';

describe('commands about the context of a ticket', () => {
  const entry = (id: string, text: string) =>
    newContextEntry({ id, text, author: 'user', mode: 'once', at: 1 });

  /** A ticket with four entries, three of which begin alike. */
  function coding(): CommandBench {
    const bench = new CommandBench({ ticket: { status: 'CODING' } });
    bench.app.client.entries = [
      entry('abcd1111', 'Use names.'),
      entry('abcd2222', 'Be brief.'),
      entry('abc', 'Be kind.'),
      entry('xyz12', 'Be quick.'),
    ];
    bench.input = 'From a pipe.';
    return bench;
  }

  const text = 'Use names.';
  itSends(
    [
      [['context add TST-1', text], 'context', { text, scope: 'once' }],
      [['context add TST-1 --once', text], 'context', { text, scope: 'once' }],
      [['context add TST-1 --until-done', text], 'context', { text, scope: 'until_done' }],
      [['context add TST-1 --pin', text], 'context', { text, scope: 'pinned' }],
      [['context add TST-1 --always', text], 'context', { text, scope: 'pinned' }],
      [['context add TST-1 --now', text], 'context', { text, scope: 'once', interrupt: true }],
      ['context add TST-1 --file -', 'context', { text: 'From a pipe.', scope: 'once' }],
      ['context withdraw TST-1 abcd1', 'withdraw_context', { entry: 'abcd1111' }],
      ['context withdraw TST-1 abc', 'withdraw_context', { entry: 'abc' }],
      [['context edit TST-1 abcd2', 'Be short.'], 'edit_context', { entry: 'abcd2222', text: 'Be short.' }],
      ['context edit TST-1 abcd2222 --file -', 'edit_context', { entry: 'abcd2222', text: 'From a pipe.' }],
      ['context pin TST-1 bead_data', 'prompt_rule', { part: 'bead_data', rule: 'pin', bead: null }],
      [
        'context exclude TST-1 host --bead greet',
        'prompt_rule',
        { part: 'host', rule: 'exclude', bead: 'greet' },
      ],
      ['context include TST-1 host', 'prompt_rule', { part: 'host', rule: 'none', bead: null }],
    ],
    coding,
  );
  itRefuses(
    [
      ['context add TST-1', 2, /Specify either TEXT or --file FILE\./],
      ['context add TST-1 words --file -', 2, /Specify either TEXT or --file FILE\./],
      ['context add TST-1 words --once --pin', 2, /Use only one of --once, --until-done and --pin\./],
      [
        'context add TST-1 words --until-done --always',
        2,
        /Use only one of --once, --until-done and --pin\./,
      ],
      ['context edit TST-1 abc', 2, /Specify either TEXT or --file FILE\./],
      ['context withdraw TST-1 abcd', 2, /TST-1 has no context with the ID "abcd"\..*\n.*List its context/],
      ['context withdraw TST-1 xyz', 2, /no context with the ID "xyz"/],
      ['context withdraw TST-1 ab', 2, /no context with the ID "ab"/],
      [['context edit TST-1 zzzz', 'x'], 2, /no context with the ID "zzzz"/],
      ['context pin TST-1', 2, /An argument is missing/],
    ],
    coding,
  );

  it('show the rules about parts as a document, and send it back changed with its hash', async () => {
    const bench = coding();
    const { all } = await bench.json('context rules TST-1');
    const [{ content, sha256: base } = { content: '', sha256: '' }] = all('document');
    assert.deepEqual([content, base], ['rules: []\n', sha256(content)]);
    await bench.run('context rules TST-1 --file - --no-wait');
    const body = { artifact: 'prompt_rules', baseSha256: base, content: 'From a pipe.', reason: '' };
    assert.deepEqual(bench.sent, [['edit_document', body]]);
  });

  it('list every entry with its state, and what was decided about parts', async () => {
    const bench = coding();
    const rules = [{ part: 'host', rule: 'exclude', bead: null }];
    bench.app.client.documents.set(
      'prompt_choices',
      JSON.stringify({ schema_version: 1, rules, preview: null, edits: {} }),
    );
    const { out } = await bench.run('context list TST-1');
    assert.match(out, /abcd1111 {2}once, queued\n\s+Use names\.[^]*host is left out of later prompts\.\n$/);
    const { all, end } = await bench.json('context list TST-1');
    assert.deepEqual(
      all('context').map(({ id, state }) => [id, state]),
      [
        ['abcd1111', 'queued'],
        ['abcd2222', 'queued'],
        ['abc', 'queued'],
        ['xyz12', 'queued'],
      ],
    );
    assert.deepEqual(all('prompt_rule'), [{ type: 'prompt_rule', ticket: 'TST-1', ...rules[0] }]);
    assert.deepEqual([end?.exit, end?.status], [0, 'CODING']);
    assert.match((await new CommandBench().run('context list TST-1')).out, /^TST-1 has no context\.\n$/);
  });
});

describe('handoff', () => {
  const handoff = 'from: TST-7\n';
  const edits = (content: string, baseSha256 = sha256(handoff)) =>
    ({ artifact: 'received_handoff', baseSha256, content, reason: '' }) as const;

  function received(): CommandBench {
    const bench = new CommandBench();
    bench.app.client.documents.set('received_handoff', handoff);
    bench.input = 'from: TST-7\nempty: true\n';
    return bench;
  }

  itSends(
    [
      ['handoff TST-1 --file -', 'edit_document', edits('from: TST-7\nempty: true\n')],
      ['handoff TST-1 --remove', 'edit_document', edits('')],
      [`handoff TST-1 --remove --base ${'d'.repeat(64)}`, 'edit_document', edits('', 'd'.repeat(64))],
    ],
    received,
  );
  itRefuses([
    ['handoff TST-1', 2, /The received handoff can't be used: TST-1 has none/],
    ['handoff TST-1 --remove', 2, /TST-1 has none/],
    ['handoff --remove', 2, /Enter a ticket ID, such as ABC-12\./],
  ]);
  itRefuses([['handoff TST-1 --remove --file -', 2, /Use either --file or --remove, not both\./]], received);

  it('shows what a ticket got', async () => {
    const bench = received();
    assert.equal((await bench.run('handoff TST-1')).out, 'from: TST-7\n');
    const { all, end } = await bench.json('handoff TST-1');
    assert.deepEqual(all('document'), [
      {
        type: 'document',
        ticket: 'TST-1',
        name: 'received_handoff',
        sha256: sha256(handoff),
        content: handoff,
      },
    ]);
    assert.deepEqual([end?.exit, end?.ticket, bench.sent], [0, 'TST-1', []]);
  });

  it('lists what tickets have left, the newest first', async () => {
    const bench = new CommandBench();
    const { client } = bench.app;
    assert.equal((await bench.run('handoff')).out, 'No completed ticket has left a handoff.\n');
    client.views = [
      ticketView({ id: 'TST-2', title: 'Wave', status: 'COMPLETED', updatedAt: 1 }),
      ticketView({ id: 'TST-3', title: 'Shout', status: 'COMPLETED', updatedAt: 2 }),
      ticketView({ id: 'TST-4', title: 'Sing', status: 'CODING', updatedAt: 3 }),
    ];
    const patterns = [{ text: 'Names come first.', evidence: ['src/greet.ts'] }];
    client.documents.set(
      'handoff_report',
      JSON.stringify({ schema_version: 1, ticket_id: 'TST-2', artifact: 'handoff_report', patterns }),
    );
    assert.equal((await bench.run('handoff')).out, 'TST-3  Shout (entries: 1)\nTST-2  Wave (entries: 1)\n');
    const { types, end } = await bench.json('handoff');
    assert.deepEqual([types, end?.exit, end?.ticket], [['end'], 0, null]);
  });
});
