import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { noteFiles, noteModule, noteTest } from '../../../src/demo/generic/noteFiles.ts';
import { codingReport, runCommand } from '../../../src/demo/generic/execution.ts';
import type { CliProcess, CliResult } from '../../support/cliProcess.ts';
import { type CliTicket, cliTickets, ending, type Sent } from '../../support/cliTicket.ts';
import { until } from '../../support/until.ts';

const prompt = '# Note what the project is\n\nWrite a note, with a test.\n';
const title = 'Note what the project is';
const files = noteFiles('loop');
const write = (filePath: string, content: string) => ({ tool: 'write', args: { filePath, content } });
const right = [
  write(files.module, noteModule('loop', title)),
  write(files.test, noteTest('loop', title)),
  runCommand(`node --test ${files.test}`),
];
const wrong = (word: string) => [write(files.module, noteModule('loop', title)), write(files.test, noteTest('loop', word))];
const inPass = (number: number) => ({ part: 'iteration', has: `Pass ${String(number)} ` });
const text = codingReport({ id: 'loop', title, iteration: 1, testCommands: [`node --test ${files.test}`] }, Object.values(files));

/** The passes of loops, on the real OpenCode: what each one is told is read from the requests themselves. */
describe('the passes of a loop on the command line', function () {
  this.timeout(600_000);
  const makeTicket = cliTickets();

  async function place(coding: readonly unknown[], more: Readonly<Record<string, unknown>> = {}, model: unknown = {}): Promise<CliTicket> {
    const ticket = await makeTicket({ tasks: { coding, ...more }, model });
    await writeFile(join(ticket.folder, 'PROMPT.md'), prompt);
    return ticket;
  }
  const begin = (ticket: CliTicket, ...words: readonly string[]): CliProcess => {
    const proof = ['--test', `node --test ${files.test}`, '--model', 'scripted/alpha', '--approve', 'all'];
    const once = words.includes('--iterations') ? [] : ['--iterations', '1'];
    return ticket.begin('loop', 'PROMPT.md', ...proof, '--review', 'off', ...once, ...words, ...ticket.driving);
  };
  const loop = (ticket: CliTicket, ...words: readonly string[]): Promise<CliResult> => begin(ticket, ...words).ended;
  /** The first requests of the passes, in their order. */
  const first = (ticket: CliTicket): readonly Sent[] => ticket.of('coding').filter(({ request }) => request.step === 0);
  const told = ({ body }: Sent): string => {
    const { messages } = JSON.parse(body) as { readonly messages: readonly { readonly content: unknown }[] };
    return messages.map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content))).join('\n');
  };
  /** Each pass of the records: its number, what became of its claim, and how the loop ended with it. */
  const passes = async (ticket: CliTicket): Promise<readonly string[]> =>
    (await ticket.records()).flatMap(({ payload }) => {
      const { pass, outcome, end } = payload as { readonly pass?: number; readonly outcome: string; readonly end: string | null };
      return pass === undefined ? [] : [`${String(pass)} ${outcome} ${String(end)}`];
    });

  it('AT-26, AT-27, AT-30: say which pass it is, begin alike, and tell what failed to the next one alone', async () => {
    const checked = {
      tool: 'edit',
      args: { filePath: files.module, oldString: 'export function', newString: '// Read again.\nexport function' },
    };
    const ticket = await place([
      { when: inPass(1), calls: wrong('Something else'), text },
      { when: inPass(2), calls: right, text },
      { when: inPass(3), calls: [checked], text },
    ]);
    ending(0, await loop(ticket, '--min', '3', '--max', '4', '--approve', 'review'));
    const prompts = first(ticket).map(told);
    assert.deepEqual(
      prompts.map((pass) => /Pass \d of at most \d, and of at least \d/.exec(pass)?.[0]),
      [1, 2, 3].map((pass) => `Pass ${String(pass)} of at most 4, and of at least 3`),
    );
    for (const pass of prompts) {
      assert.match(pass, /Iteration 1 of 1[^]*Left: /);
      assert.doesNotMatch(pass, /^## [^\n]*\n\s*(?:## |$)/m, 'no empty section');
      assert.doesNotMatch(pass, /user_context|Additional Context/);
    }
    assert.deepEqual(
      prompts.map((pass) => /## failing_evidence/.test(pass)),
      [false, true, false],
    );
    assert.match(prompts[1] ?? '', /failing_evidence[^]*node --test beadsmith-notes\/loop\.test\.mjs/);
    const [one = '', , three = ''] = prompts;
    let same = 0;
    while (same < one.length && one[same] === three[same]) same += 1;
    assert.ok(same / one.length >= 0.9, `${String(same)} of ${String(one.length)} characters are as they were`);
  });

  it('AT-27: begin with the preamble in seed order, then what was added, the proposal, the bead and the prompt', async () => {
    const hold = { ...right[0], tool: 'bash', args: { command: 'until [ -e .ticket/go ]; do sleep 0.1; done', description: 'Waits' } };
    const ticket = await place([
      { when: { iteration: 1, ...inPass(1) }, calls: [...wrong('Something else'), hold], text },
      { when: { iteration: 1 }, calls: wrong('Nothing'), text },
      { calls: right, text },
    ]);
    const running = begin(ticket, '--iterations', '2', '--max', '2', '--prompt-order', 'seed', '--approve', 'review');
    await until(() => first(ticket).length > 0 || running.child.exitCode !== null, 'the first pass works', 60_000);
    ending(0, await ticket.cli('context', 'add', 'SAMPL-1', 'Use brevity.', '--pin', '--no-wait'));
    const gate = join(`${ticket.repository.root}.worktrees`, 'SAMPL-1', '.ticket', 'go');
    await writeFile(gate, '');
    ending(0, await running.ended);
    const heads = (told(first(ticket).at(-1) as Sent).match(
      /^(?:## preamble|## Additional Context|## Change Proposal|## Module|# Beadsmith task)/gm,
    ) ?? []) as string[];
    assert.deepEqual(heads, ['## preamble', '## Additional Context', '## Change Proposal', '## Module', '# Beadsmith task']);
    assert.ok(told(first(ticket).at(-1) as Sent).split('\n\n---\n\n').length >= 5);
  });

  it('AT-32: end with a code of their own by their number, by tokens and by cost, and keep the work', async () => {
    const bad = [1, 2].map((pass) => ({ when: inPass(pass), delayMs: 1_500, calls: wrong(`Nothing ${String(pass)}`), text }));
    const price = { cost: { input: 1_000, output: 1_000 } };
    for (const [end, code, model, words] of [
      ['BEAD_RETRY_BUDGET_EXHAUSTED', 10, {}, ['--max', '2']],
      ['BUDGET_EXHAUSTED', 11, {}, ['--max', '2', '--token-cap', '4000']],
      ['COST_CAP_REACHED', 12, price, ['--max', '2', '--cost-cap', '300']],
    ] as const) {
      const ticket = await place(bad, {}, model);
      ending(code, await loop(ticket, ...words));
      // A limit ends the call and not the pass, which continues where it was once the limit is raised.
      const shown = (await ticket.cli('show', 'SAMPL-1')).stdout;
      assert.ok(shown.includes(`"code":"${end}"`), shown.slice(0, 600));
      const refs = await ticket.repository.git('for-each-ref', '--format=%(refname)', 'refs/beadsmith/SAMPL-1/loop');
      const worktree = join(`${ticket.repository.root}.worktrees`, 'SAMPL-1', files.module);
      const isKept =
        refs === '' ? existsSync(worktree) : (await ticket.repository.git('ls-tree', '-r', '--name-only', refs)).includes(files.module);
      assert.ok(isKept, `${end}: ${refs}`);
    }
  });

  it('AT-33: take another approach when nothing changes, and end as stuck with a code of their own', async () => {
    const still = [{ calls: wrong('Something else'), text }];
    const ticket = await place(still, {});
    ending(14, await loop(ticket, '--max', '6'));
    assert.ok(
      ticket.of('coding').some((one) => /hypotheses/.test(told(one))),
      'a pivot',
    );
    assert.match((await passes(ticket)).join(), /stuck$/);
  });

  it('AT-37: wait for a provider that is over its quota until a known time, and use up no pass', async () => {
    const ticket = await place([{ when: inPass(1), fault: 'http-429' }]);
    const running = begin(ticket, '--max', '2', '--provider-retries', '0', '--approve', 'review');
    const held = () => running.events.some((event) => event.type === 'hold' && event.hold === 'quota' && event.until !== null);
    await until(() => running.child.exitCode !== null || held(), 'the ticket waits', 90_000);
    assert.equal(running.child.exitCode, null, running.stdout.slice(-1_500));
    ticket.script({ coding: [{ calls: right, text }] });
    ending(0, await running.ended);
    assert.deepEqual(await passes(ticket), ['1 passed validated_complete']);
    const iterations = new Set((await ticket.records()).map((record) => record['iteration']));
    assert.deepEqual([...iterations], [1]);
  });

  it('AT-38: continue in the pass in which their driver was killed, with those before it as they were', async () => {
    const hang = {
      when: inPass(2),
      calls: [...right, { tool: 'bash', args: { command: 'until [ -e .ticket/go ]; do sleep 0.1; done', description: 'Waits' } }],
      text,
    };
    const ticket = await place([{ when: inPass(1), calls: right, text }, hang]);
    const running = begin(ticket, '--min', '2', '--max', '3', '--approve', 'review');
    await until(() => first(ticket).length > 1 || running.child.exitCode !== null, 'the second pass works', 90_000);
    running.child.kill('SIGKILL');
    await running.ended;
    await writeFile(join(`${ticket.repository.root}.worktrees`, 'SAMPL-1', '.ticket', 'go'), '');
    ending(0, await ticket.cli('run', 'SAMPL-1', '--approve', 'all', ...ticket.driving));
    assert.equal(first(ticket).filter((one) => told(one).includes('Pass 1 of ')).length, 1, 'the first pass isn’t sent again');
    assert.deepEqual(await passes(ticket), ['1 claimed_early null', '2 passed validated_complete']);
  });
});
