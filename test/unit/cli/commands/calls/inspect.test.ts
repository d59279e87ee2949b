import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CallTexts } from '../../../../../src/protocol/history.ts';
import { CommandBench, itRefuses } from '../../../../support/commandBench.ts';
import { inspectedCall, inspectedPart } from '../../../../support/fakes/inspectedCall.ts';
import { tempFolders } from '../../../../support/git/tempRepository.ts';

const parts = [inspectedPart('bead_data'), inspectedPart('host')];
const calls = [
  inspectedCall(parts, { id: 'first' }),
  inspectedCall(parts.slice(0, 1), { id: 'second', prompt: 'review' }),
];

function asked(): CommandBench {
  const bench = new CommandBench();
  const { history, documents } = bench.app.client;
  history.inspected = calls;
  history.pastCalls = calls.map(
    ({ id, run, step, member, prompt, outcome, error, startedAt, endedAt, estimatedTokens }): CallTexts => ({
      id,
      run,
      step,
      member,
      prompt,
      outcome,
      error,
      startedAt,
      endedAt,
      estimatedTokens,
      input: `You are told ${prompt}.\n`,
      output: '',
      plan: '',
    }),
  );
  const turns = [{ asked: 'Write it.', said: [{ text: 'I wrote it.' }] }];
  documents.set('earlier_turns:s', JSON.stringify({ schema_version: 1, turns }));
  return bench;
}

describe('context', () => {
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
