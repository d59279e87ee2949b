import assert from 'node:assert/strict';
import { ModelScript } from '../../../../src/demo/script/modelScript.ts';
import type { Ticket } from '../../../../src/domain/ticket/ticket.ts';
import type { TicketDetail } from '../../../../src/protocol/api.ts';
import { cliHere } from '../../../support/cliHere.ts';
import type { CliResult } from '../../../support/cliProcess.ts';
import { quickQuestions } from '../../../support/models/planningAnswers.ts';
import { benchForEach } from '../../../support/team/benchForEach.ts';
import type { TeamBench } from '../../../support/team/teamBench.ts';
import { until } from '../../../support/until.ts';

const model = ['--model', 'scripted/alpha', '--depth', 'quick'];
const asking = ModelScript.parse({
  version: 1,
  name: 'asking',
  tasks: { 'quick-plan': [{ text: quickQuestions(1) }] },
});

describe('a person at a terminal, and the team’s tickets', function () {
  this.timeout(400_000);
  let bench: TeamBench;
  benchForEach((opened) => (bench = opened));

  const by = (person: string | undefined, args: readonly string[]): Promise<CliResult> =>
    cliHere(args, bench.terminal(person));
  const me = (...args: readonly string[]): Promise<CliResult> => by(undefined, args);
  const entries = (id: string) => bench.tickets.ports.store.inbox(id);
  /** Until a runner carried it out. */
  async function acts(...args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await me(...args);
    assert.equal(code, 0, stdout + stderr);
    const [command = '', ticket = ''] = args;
    if (command === 'create') return stdout;
    await until(async () => (await entries(ticket)).at(-1)?.state !== 'pending', 'a runner takes it', 60_000);
    assert.equal((await entries(ticket)).at(-1)?.state, 'consumed', stdout);
    return stdout;
  }
  async function created(title: string): Promise<string> {
    return /Start it with: beadsmith start (\S+)/.exec(await acts('create', '--title', title))?.[1] ?? '';
  }
  const waits = (id: string, status: Ticket['status']): Promise<TicketDetail> =>
    until(
      async () => {
        const detail = await bench.tickets.client.ticket(id);
        if (detail.error) throw new Error(JSON.stringify(detail.error));
        return detail.ticket.status === status && detail.idle && detail;
      },
      `${id} waits in ${status}`,
      120_000,
    );

  it('starts, answers, approves, requests changes and cancels, with their own device and what they saw', async () => {
    const runner = await bench.run('one');
    bench.follow(asking);
    const asked = await created('Wave');
    await acts('start', asked, ...model);
    await waits(asked, 'WAITING_QUICK_ANSWERS');
    await acts('answer', asked, 'Q01=In Danish.');
    const [, answer] = await entries(asked);
    assert.match(JSON.stringify(answer?.body), /In Danish\./);
    await acts('cancel', asked, '--reason', 'Not now.');
    await until(async () => (await bench.ticket(asked)).status === 'CANCELED', 'it is canceled');

    bench.forgetScript();
    const id = await created('Greet by name');
    await acts('start', id, ...model);
    const { gate } = await waits(id, 'WAITING_PLAN_APPROVAL');
    const shown = await me('show', id);
    assert.match(shown.stdout, new RegExp(`sha256 ${gate?.sha256 ?? ''}[^]*beadsmith approve ${id}`));

    const before = (await entries(id)).length;
    const refused = async (said: RegExp, code: number, decide: typeof me): Promise<void> => {
      const result = await decide('approve', id);
      assert.match(result.stderr, said);
      assert.equal(result.code, code);
    };
    await refused(/This device isn't one of the team's/, 1, (...args) => by('eve', args));
    const paired = await me('team', 'pair', '--person', 'Bob', '--role', 'reader', '--json');
    const code = /"code":"([^"]+)"/.exec(paired.stdout)?.[1] ?? '';
    assert.equal((await by('bob', ['team', 'join', code])).code, 0);
    await refused(/Your role in the team is reader/, 1, (...args) => by('bob', args));
    await refused(/changed after you opened it/, 2, (...args) => me(...args, '--sha256', '0'.repeat(64)));
    assert.equal((await entries(id)).length, before, 'nothing was filed');

    await acts('approve', id, '--sha256', gate?.sha256 ?? '');
    assert.match((await entries(id)).at(-1)?.seal ?? '', /^team:/);
    await waits(id, 'WAITING_EXECUTION_SETUP_APPROVAL');
    await acts('approve', id);
    await waits(id, 'WAITING_PR_REVIEW');
    const beads = async () => (await bench.tickets.client.beads(id)).beads.length;
    const planned = await beads();
    await acts('changes', id, 'Greet in Danish, too.');
    await until(async () => (await beads()) === planned + 1, 'the change becomes a bead', 60_000);
    await waits(id, 'WAITING_PR_REVIEW');

    const merged = await me('merge', id);
    assert.match(merged.stderr, /A team's tickets are merged on the forge/);
    const run = await me('run', id);
    assert.match(run.stderr, /a team's runners drive its tickets on theirs/);
    assert.deepEqual([merged.code, run.code], [2, 2]);

    const { lines } = await bench.tickets.client.history.log(id, { limit: 200 });
    const waiting = lines.findLast(({ text }) => text.startsWith('waits for'))?.text;
    assert.match(waiting ?? '', /\bclose\b/);
    assert.doesNotMatch(waiting ?? '', /\bmerge\b/);
    assert.match((await me('logs', id)).stdout, /WAITING_PR_REVIEW/);
    const { stdout } = await me('show', id, '--json');
    assert.ok(!stdout.includes(bench.folderOf('one')), 'no place of the runner is shown');
    runner.child.kill('SIGTERM');
    await runner.ended;
    // By a process of its own, which is to live until then.
    const filed = await bench.cli('close', id, '--reason', 'Elsewhere.');
    assert.match(filed.stdout, /A runner applies it once it works on/);
    assert.equal(filed.code, 0, filed.stderr);
    assert.equal((await entries(id)).at(-1)?.state, 'pending');
  });
});
