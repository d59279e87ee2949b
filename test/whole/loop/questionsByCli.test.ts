import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { PendingRequest } from '../../../src/domain/ticket/agentRequest.ts';
import { eventsOf } from '../../support/cliProcess.ts';
import { ending } from '../../support/cliTicket.ts';
import { type LoopByCli, loopsByCli, loopTicket, report, write } from '../../support/loopTicket.ts';
import { until } from '../../support/until.ts';

const Report = z.looseObject({
  type: z.literal('report'),
  requests: z.array(PendingRequest),
  pullRequest: z.looseObject({ location: z.string() }).nullable(),
  assumptions: z.array(z.object({ bead: z.string(), text: z.string() })),
});
const options = ['Yes', 'No'].map((label) => ({ label, description: label }));
const question = {
  tool: 'question',
  args: { questions: [{ question: 'Shall it shout?', header: 'Tone', options }] },
};
const assumes = report().replace('</DEV_RECORD>', 'assumptions: ["It whispers."]\n</DEV_RECORD>');
const asks = { calls: [question, write('greet.txt', 'hello\n')], text: report() };

describe('a question in a loop on the command line', function () {
  this.timeout(600_000);
  const makeLoop = loopsByCli();
  const shown = async ({ ticket }: LoopByCli) =>
    Report.parse(eventsOf((await ticket.cli('show', loopTicket)).stdout)[0]);

  it('AT-36: waits for the person in mode `pause`, whose answer the agent gets', async () => {
    const loop = await makeLoop({ tasks: { coding: [asks] } });
    const driver = loop.begin('--max', '1', '--agent-questions', 'pause');
    await until(
      () => driver.stdout.includes('"hold":"question"') || driver.child.exitCode !== null,
      'the agent asks',
      120_000,
    );
    const [request] = (await shown(loop)).requests;
    assert.ok(request?.content.kind === 'question');
    assert.equal(request.content.questions[0]?.text, 'Shall it shout?');
    const hours = (request.until - request.since) / 3_600_000;
    assert.ok(hours > 24, `it waits ${String(hours)} hours`);
    assert.equal(loop.ticket.of('coding').length, 1, 'it does not go on alone');
    assert.equal((await loop.ticket.cli('reply', loopTicket, 'Only on Sundays.', '--no-wait')).code, 0);
    ending(0, await driver.ended);
    assert.match(loop.ticket.of('coding')[1]?.body ?? '', /"role":"tool"[^]*Only on Sundays\./);
    assert.deepEqual((await shown(loop)).assumptions, []);
  });

  it('AT-36: can not be asked in mode `deny`; what the agent assumed is in the records, the report and the pull request', async () => {
    const loop = await makeLoop({ tasks: { coding: [{ ...asks, text: assumes }] } });
    const ended = await loop.run('--max', '1', '--agent-questions', 'deny');
    ending(0, ended);
    assert.doesNotMatch(ended.stdout, /"hold":"question"/);
    for (const { request, body } of loop.ticket.of('coding')) {
      assert.ok(!request.tools.includes('question'));
      assert.match(body, /nobody answers, decide what fits best and list it under `assumptions`/);
    }
    assert.deepEqual((await shown(loop)).assumptions, [{ bead: 'loop', text: 'It whispers.' }]);
    const dev = (await loop.ticket.records()).find(({ kind }) => kind === 'dev');
    assert.match(JSON.stringify(dev), /It whispers\./);
    assert.match(
      await readFile((await shown(loop)).pullRequest?.location ?? '', 'utf8'),
      /## Assumptions[^]*- loop: It whispers\./,
    );
  });
});
