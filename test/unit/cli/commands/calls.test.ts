import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandBench, itRefuses } from '../../../support/commandBench.ts';
import {
  inspectedCall,
  inspectedPart,
  pastCall,
  replayedCall,
} from '../../../support/fakes/inspectedCall.ts';
import { tempFolders } from '../../../support/git/tempRepository.ts';
import { engineSource } from '../../../../src/domain/ticket/agentRequest.ts';
import { exitCodes } from '../../../../src/cli/base/exitCodes.ts';
import type { ReplayedTexts, ReplayedCall } from '../../../../src/protocol/replays.ts';
import { replayedText, replayText } from '../../../../src/cli/commands/calls.ts';
import { replayFollowsText, replaySumText } from '../../../../src/protocol/replays/replayText.ts';

describe('context', () => {
  const parts = [inspectedPart('bead_data'), inspectedPart('host')];
  const calls = [
    inspectedCall(parts, { id: 'first' }),
    inspectedCall(parts.slice(0, 1), { id: 'second', prompt: 'review' }),
  ];

  function asked(): CommandBench {
    const bench = new CommandBench();
    const { history, documents } = bench.app.client;
    history.inspected = calls;
    history.pastCalls = calls.map((call) => pastCall(call, { input: `You are told ${call.prompt}.\n` }));
    const turns = [{ asked: 'Write it.', said: [{ text: 'I wrote it.' }] }];
    documents.set('earlier_turns:s', JSON.stringify({ schema_version: 1, turns }));
    return bench;
  }

  it('lists what models were sent', async () => {
    const { out, exit } = await asked().run('context TST-1');
    assert.equal(exit, 0);
    assert.match(out, /1 .*coding[^]*2 .*review/);
    const { all, end } = await asked().json('context TST-1');
    assert.deepEqual(
      all('inspection').map((event) => [event['number'], event['id'], (event['parts'] as unknown[]).length]),
      [
        [1, 'first', 2],
        [2, 'second', 1],
      ],
    );
    assert.deepEqual([end?.exit, end?.status], [0, 'WAITING_PRD_APPROVAL']);
  });

  for (const word of ['2', 'last', 'second'])
    it(`shows one call by ${word}`, async () => {
      const { out } = await asked().run(`context TST-1 ${word}`);
      assert.match(out, /review[^]*bead_data +section/);
      assert.deepEqual(
        (await asked().json(`context TST-1 ${word}`))
          .all('inspection')
          .map((event) => [event['number'], event['id']]),
        [[2, 'second']],
      );
    });

  for (const [words, name, content] of [
    ['context TST-1 1 --text', 'prompt', /^You are told coding\.$/],
    ['context TST-1 2 --diff 1', 'difference', /^-You are told coding\.\n\+You are told review\.$/m],
    ['context TST-1 1 --diff 1', 'difference', /^The prompts are the same\.$/],
    [
      'context TST-1 1 --turns',
      'turns',
      /^### Turn 1\n\nYou were told:\nWrite it\.\n\nYou answered:\nI wrote it\.$/,
    ],
    ['context TST-1 --export json', 'inspection', /"id": "first"[^]*"id": "second"/],
    ['context TST-1 2 --export csv', 'inspection', /^1,.*,review,.*,bead_data,/m],
  ] as const)
    it(`${words} prints the ${name}`, async () => {
      assert.match((await asked().run(words)).out.trim(), content);
      const [document] = (await asked().json(words)).all('document');
      assert.ok(document);
      assert.equal(document.name, name);
      assert.match(document.content.trim(), content);
    });

  it('says that nothing was taken out of a conversation', async () => {
    const bench = asked();
    bench.app.client.documents.clear();
    assert.equal(
      (await bench.run('context TST-1 1 --turns')).out,
      'Nothing was removed from this conversation.\n',
    );
  });

  const makeFolder = tempFolders();
  it('writes what is exported to a file', async () => {
    const bench = asked();
    bench.cwd = await makeFolder();
    const file = join(bench.cwd, 'calls.md');
    assert.equal(
      (await bench.run('context TST-1 --export markdown --out calls.md')).out,
      `Written to ${file}.\n`,
    );
    assert.match(await readFile(file, 'utf8'), /^## 2\. review$/m);
    const { exit, err } = await bench.run('context TST-1 --export json --out nowhere/calls.json');
    assert.match(err, /The file .*nowhere\/calls\.json can't be used: ENOENT/);
    assert.equal(exit, 2);
  });

  itRefuses(
    [
      ['context TST-1 3', 2, /The call 3 can't be used: there are calls 1 to 2/],
      ['context TST-1 1 --diff 9', 2, /The call 9 can't be used/],
      ['context TST-1 --text', 2, /Specify the number of a call, or "last"\./],
      ['context TST-1 --turns', 2, /Specify the number of a call/],
      ['context TST-1 --diff 1', 2, /Specify the number of a call/],
      ['context TST-1 1 --out calls.json', 2, /--out needs --export\./],
      ['context TST-1 --export xml', 2, /--export is one of csv, json, markdown, not "xml"\./],
      ['context TST-1 1 --preview', 2, /The next prompt has no number yet\. Omit CALL\./],
      ['context TST-9', 2, /The ticket TST-9 doesn't exist\./],
    ],
    asked,
  );
  itRefuses([['context TST-1 last', 2, /The call last can't be used: there are no model calls yet/]]);
});

describe('context --preview', () => {
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

describe('replay', () => {
  const replayed = (
    number: number,
    more: Partial<ReplayedCall> = {},
    today: string | null = 'old\n',
  ): ReplayedTexts => ({ call: replayedCall(number, more), sent: 'old\n', today });
  const differs = replayed(
    2,
    { verdict: 'differs', reasons: [{ kind: 'instructions', part: null }] },
    'new\n',
  );

  function asked(...replays: readonly ReplayedTexts[]): CommandBench {
    const bench = new CommandBench();
    const { history } = bench.app.client;
    history.replays = replays;
    history.calls = () => Promise.resolve(replays as never);
    return bench;
  }

  it('is done where every call is as it was', async () => {
    const { exit, out } = await asked(replayed(1)).run('replay TST-1');
    assert.equal(exit, exitCodes.done);
    assert.match(out, /1 call: 1 the same/);
    const { all, types, end } = await asked(replayed(1)).json('replay TST-1');
    assert.deepEqual(all('replay'), [
      { type: 'replay', ticket: 'TST-1', calls: 1, same: 1, differ: 0, unknown: 0, first: null },
    ]);
    assert.deepEqual(
      [types, end?.exit, end?.status],
      [['replayed', 'replay', 'end'], 0, 'WAITING_PRD_APPROVAL'],
    );
  });

  it('fails where one differs, and says which is the first', async () => {
    const { exit, all } = await asked(replayed(1), differs).json('replay TST-1');
    assert.equal(exit, exitCodes.failed);
    assert.deepEqual(
      all('replayed').map(({ number, verdict, phase, reasons }) => [number, verdict, phase, reasons]),
      [
        [1, 'same', 'Drafting PRD', []],
        [2, 'differs', 'Drafting PRD', [{ kind: 'instructions', part: null }]],
      ],
    );
    assert.equal(all('replay')[0]?.first, 2);
  });

  it('shows what differs of one call', async () => {
    for (const word of ['2', 'last']) {
      const { exit, out } = await asked(replayed(1), differs).run(`replay TST-1 ${word}`);
      assert.equal(exit, exitCodes.failed);
      assert.match(out, /-old\n\+new\n[^]*Call 2, prd-draft: differs/);
    }
    const { all } = await asked(replayed(1), differs).json('replay TST-1 2');
    assert.deepEqual(
      all('document').map(({ name }) => name),
      ['difference'],
    );
    const same = await asked(replayed(1), differs).json('replay TST-1 1');
    assert.deepEqual([same.exit, same.all('document')], [exitCodes.done, []]);
  });

  it('tells how far it is, and ends with the signal that stopped it', async () => {
    const bench = asked(replayed(1));
    bench.app.client.history.replay = (_ticket, { signal, onCall } = {}) => {
      onCall?.(1, 3);
      bench.stop.abort('SIGINT');
      return Promise.reject(signal?.aborted === true ? new Error('stopped') : new Error('not stopped'));
    };
    const { exit, all } = await bench.json('replay TST-1');
    assert.deepEqual(all('replaying'), [{ type: 'replaying', ticket: 'TST-1', number: 1, total: 3 }]);
    assert.equal(exit, exitCodes.interrupted);
  });

  itRefuses(
    [
      ['replay TST-1 9', 2, /The call 9 can't be used: there are calls 1 to 1/],
      ['replay TST-1 first', 2, /The call first can't be used/],
      ['replay TST-9', 2, /The ticket TST-9 doesn't exist\./],
      ['replay', 2, /An argument is missing/],
    ],
    () => asked(replayed(1)),
  );
  itRefuses([['replay TST-1 last', 2, /The call last can't be used: there are no model calls yet/]], () =>
    asked(),
  );
});

describe('a replay as text', () => {
  const reasons = [
    { kind: 'instructions', part: null },
    { kind: 'not-allowed', part: 'votes' },
  ] as const;

  it('lists the calls with what changed, and says which is the first that differs', () => {
    const calls = [
      replayedCall(1),
      replayedCall(2, { verdict: 'differs', reasons: [...reasons] }),
      replayedCall(3, { bead: 'greet', iteration: 2 }),
    ];
    const lines = replayText(calls).split('\n');
    assert.match(
      lines[2] ?? '',
      /^ +2 {2}prd-draft {2}a\/b .* differs +the instructions changed; votes is no longer allowed$/,
    );
    assert.match(lines[3] ?? '', /greet #2 +same$/);
    assert.deepEqual(lines.slice(-2), [
      '3 calls: 2 the same, 1 differs (call 2, prd-draft)',
      'Answers after call 2 may also differ, because its prompt would change.',
    ]);
  });

  it('counts what can’t be told, and says why', () => {
    const calls = [
      replayedCall(1, { verdict: 'unknown', gap: 'secrets' }),
      ...[2, 3].map((number) => replayedCall(number, { verdict: 'differs' })),
    ];
    assert.equal(
      replaySumText(calls),
      '3 calls: 0 the same, 2 differ (first: call 2, prd-draft), 1 can’t be determined',
    );
    assert.equal(replaySumText([replayedCall(1)]), '1 call: 1 the same');
    assert.equal(replayFollowsText([replayedCall(1, { verdict: 'differs' })]), '');
    assert.equal(
      replayedText(replayedCall(1, { verdict: 'unknown', gap: 'secrets' })),
      'Call 1, prd-draft: can’t be determined: the stored text doesn’t contain secrets that were sent.',
    );
    assert.equal(replayedText(replayedCall(1)), 'Call 1, prd-draft: same.');
    assert.equal(replayText([]), 'No model calls yet.');
  });
});
