import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exitCodes } from '../../../../src/cli/base/exitCodes.ts';
import type { InboxBody } from '../../../../src/domain/ticket/inbox.ts';
import { CommandBench, itRefuses } from '../../../support/commandBench.ts';
import { FakeApp, gitOf } from '../../../support/fakes/fakeApp.ts';
import { tempFolders } from '../../../support/git/tempRepository.ts';

const input = '# Greet people\n\n- [ ] greet.txt says hello\n';

function prompted(behind: ConstructorParameters<typeof FakeApp>[1] = {}): CommandBench {
  const bench = new CommandBench({}, { app: new FakeApp({}, behind) });
  bench.input = input;
  return bench;
}

describe('loop', () => {
  const makeFolder = tempFolders();
  async function body(words: string): Promise<InboxBody<'start'>> {
    const bench = prompted();
    bench.app.client.approved = ['npm test'];
    const { exit, err } = await bench.run(`loop - --model a/b ${words}`);
    assert.equal(exit, exitCodes.gate, err);
    return bench.sent[0]?.[1] as InboxBody<'start'>;
  }

  it('files a ticket of a prompt, starts it without a plan, and runs it', async () => {
    const bench = prompted();
    bench.cwd = await makeFolder();
    await writeFile(join(bench.cwd, 'PROMPT.md'), input);
    const { all, end } = await bench.json(
      'loop PROMPT.md --model a/b --test ls --test pwd --setup make --key k',
    );
    assert.deepEqual(bench.created, [{ title: 'Greet people', description: input, priority: 3, key: 'k' }]);
    const { settings, loop } = bench.sent[0]?.[1] as InboxBody<'start'>;
    assert.deepEqual([settings.depth, settings.minPasses, settings.maxPasses], ['loop', 1, 10]);
    assert.deepEqual(loop, { tests: ['ls', 'pwd'], setup: ['make'], noTests: '' });
    assert.match(all('note')[0]?.message ?? '', /^Coded without a plan: /);
    assert.deepEqual([bench.app.started, end?.exit], [[['TST-1']], exitCodes.gate]);
  });

  const passes = ['--min 3', '--max 4', '--min 12', '--min-passes 2', '--max-passes 5', '--min 2 --max 2'];
  it(`has the passes that are asked for: ${passes.join(', ')}`, async () => {
    const found: (readonly [number, number])[] = [];
    for (const words of passes) {
      const { settings } = await body(words);
      found.push([settings.minPasses, settings.maxPasses]);
    }
    assert.deepEqual(found, [
      [3, 10],
      [1, 4],
      [12, 12],
      [2, 10],
      [1, 5],
      [2, 2],
    ]);
  });

  it('is proved by the checks of the project, or says why by nothing', async () => {
    assert.deepEqual((await body('')).loop, { tests: [], setup: [], noTests: '' });
    assert.deepEqual((await body('--no-tests prose')).loop, { tests: [], setup: [], noTests: 'prose' });
  });

  it('takes another title and priority', async () => {
    const bench = prompted();
    await bench.run('loop - --model a/b --test ls --title Wave --priority 5');
    assert.deepEqual(bench.created, [{ title: 'Wave', description: input, priority: 5 }]);
  });

  it('files nothing where its options are refused', async () => {
    for (const [words, said] of [
      ['loop - --test ls', /--model/],
      ['loop - --model a/b --test ls --promise <X>', /promise/i],
      ['loop - --model a/b --test ls --max-iterations none', /max-iterations/],
      ['loop - --model a/b --test ls --handoff SOME', /ABC-12|SOME/],
    ] as const) {
      const bench = prompted();
      const { exit, err } = await bench.run(words);
      assert.notEqual(exit, exitCodes.done);
      assert.match(err, said);
      assert.deepEqual(bench.created, [], words);
    }
  });

  it('drops the colors of a terminal, and says so', async () => {
    const bench = prompted();
    bench.input = '# Fix the \u001b[31mFAIL\u001b[0m\n';
    const { all } = await bench.json('loop - --model a/b --test ls');
    assert.equal(bench.created[0]?.description, '# Fix the FAIL\n');
    assert.match(all('note')[0]?.message ?? '', /^2 color codes and control characters were removed/);
  });

  it('shows a loop with --status', async () => {
    const bench = new CommandBench();
    const { all, types } = await bench.json('loop TST-1 --status');
    assert.deepEqual([types, all('report')[0]?.['ticket'], bench.sent], [['report', 'end'], 'TST-1', []]);
  });

  itRefuses(
    [
      [
        'loop - --model a/b',
        2,
        /No checks of this project were approved yet\. Specify --test COMMAND, or --no-tests REASON/,
      ],
      ['loop - --depth full', 2, /A loop is not planned, so --depth does not apply\./],
      ['loop - --min 0', 2, /A loop has 1 to 100 passes, not 0\./],
      ['loop - --max 101', 2, /A loop has 1 to 100 passes, not 101\./],
      ['loop - --min 5 --max 4', 2, /--max 4 is less than --min 5\./],
      [['loop - --no-tests', ' '], 2, /--no-tests takes a reason\./],
      ['loop - --test ls --no-tests prose', 2, /Give either test commands, or a reason why there are none\./],
      [['loop - --test', ' '], 2, /./],
      [
        'loop missing.md --test ls',
        2,
        /The prompt file missing\.md can't be used: no such file or directory/,
      ],
      ['loop - --test ls', 2, /needs --model/],
      ['loop', 2, /An argument is missing/],
    ],
    prompted,
  );
  itRefuses([['loop - --model a/b --test ls', 2, /has no commits yet/]], () =>
    prompted({ ports: { git: gitOf({ hasCommits: false }) } }),
  );

  it('refuses what is no prompt, and files nothing', async () => {
    for (const [text, said] of [
      ['', /The prompt on standard input can't be used: it is empty/],
      ['a\u0000b', /it is binary/],
      ['x'.repeat(50_001), /it has more than 50,000 characters/],
    ] as const) {
      const bench = prompted();
      bench.input = text;
      const { exit, err } = await bench.run('loop - --model a/b --test ls');
      assert.match(err, said);
      assert.deepEqual([exit, bench.created], [exitCodes.usage, []]);
    }
    const bench = prompted();
    bench.cwd = await makeFolder();
    await writeFile(join(bench.cwd, 'large.md'), 'x'.repeat(1_000_001));
    assert.match(
      (await bench.run('loop large.md --model a/b --test ls')).err,
      /The prompt file large\.md can't be used: it has more than 50,000 characters/,
    );
  });
});
