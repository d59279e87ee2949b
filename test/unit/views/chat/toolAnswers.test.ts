import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { BeadsmithError } from '../../../../src/domain/core/errors.ts';
import { Board } from '../../../../src/views/tickets/board.ts';
import {
  repositoryFor,
  ticketAnswer,
  ticketsAnswer,
  toolInputs,
} from '../../../../src/views/chat/chatTools.ts';
import { FakeClient, ticketView } from '../../../support/fakes/fakeClient.ts';
import { FakeRepositories } from '../../../support/fakes/fakeRepositories.ts';

const Schema = z.object({
  properties: z.record(z.string(), z.looseObject({ enum: z.array(z.string()).optional() })),
  required: z.array(z.string()).default([]),
});
const Manifest = z.object({
  contributes: z.object({ languageModelTools: z.array(z.object({ name: z.string(), inputSchema: Schema })) }),
});

describe('tools for the chat', () => {
  let repositories: FakeRepositories;
  let board: Board;
  let client: FakeClient;

  beforeEach(() => {
    repositories = new FakeRepositories();
    board = new Board(repositories);
    client = new FakeClient();
  });
  afterEach(() => board.dispose());

  async function show(...clients: readonly FakeClient[]): Promise<void> {
    repositories.show(...clients);
    await board.refresh();
  }

  it('are asked with what package.json says', () => {
    const { languageModelTools } = Manifest.parse(
      JSON.parse(readFileSync('package.json', 'utf8')),
    ).contributes;
    assert.deepEqual(
      languageModelTools.map(({ name }) => name),
      Object.keys(toolInputs),
    );
    for (const { name, inputSchema } of languageModelTools) {
      const own = Schema.parse(
        z.toJSONSchema(toolInputs[name as keyof typeof toolInputs], { io: 'input', unrepresentable: 'any' }),
      );
      assert.deepEqual(Object.keys(inputSchema.properties), Object.keys(own.properties), name);
      assert.deepEqual(inputSchema.required, own.required, name);
      for (const [key, property] of Object.entries(inputSchema.properties))
        assert.deepEqual(property.enum, own.properties[key]?.enum, key);
    }
  });

  it('list the tickets that match, the last changed first, and never more than a model should pay for', async () => {
    client.views = Array.from({ length: 60 }, (_, i) =>
      ticketView({ id: `TST-${String(i + 1)}`, title: i % 2 ? 'Odd' : 'Even', updatedAt: i }),
    );
    await show(client);
    const all = z.object({ total: z.number(), tickets: z.array(z.looseObject({ id: z.string() })) });
    const answer = all.parse(ticketsAnswer(board.rows, toolInputs.beadsmith_tickets.parse({})));
    assert.deepEqual([answer.total, answer.tickets.length, answer.tickets[0]?.id], [60, 50, 'TST-60']);
    const odd = all.parse(ticketsAnswer(board.rows, toolInputs.beadsmith_tickets.parse({ text: 'odd' })));
    assert.deepEqual([odd.total, odd.tickets.length], [30, 30]);
    assert.equal(
      all.parse(ticketsAnswer(board.rows, toolInputs.beadsmith_tickets.parse({ needsPerson: true }))).total,
      0,
    );
  });

  it('read a ticket with a document of it, cut where it gets long', async () => {
    const view = ticketView({
      id: 'TST-7',
      status: 'BLOCKED_ERROR',
      label: 'Blocked',
      needsPerson: true,
      actions: ['retry'],
    });
    client.views = [view];
    client.documents.set('prd', 'x'.repeat(30_000));
    const error = { code: 'LIMIT_EXPIRED', message: 'Too long.', nextStep: 'Retry.', continuable: false };
    client.ticket = () =>
      Promise.resolve({ ...({} as Awaited<ReturnType<FakeClient['ticket']>>), view, error });
    await show(client);
    const answer = await ticketAnswer(board.rows, { ticket: 'TST-7', document: 'prd' });
    assert.equal(answer['status'], 'Blocked');
    assert.deepEqual(answer['peopleCan'], ['retry']);
    assert.deepEqual(answer['error'], { code: 'LIMIT_EXPIRED', message: 'Too long.', nextStep: 'Retry.' });
    assert.match(z.string().parse(answer['document']), /^x{20000}\n… \(10000 more\)$/);
    await assert.rejects(ticketAnswer(board.rows, { ticket: 'TST-8' }), isCode('TICKET_UNKNOWN'));
    await assert.rejects(
      ticketAnswer(board.rows, { ticket: 'TST-7', repository: 'other' }),
      isCode('TICKET_UNKNOWN'),
    );
  });

  it('file into the only repository, or the one that is named', async () => {
    assert.throws(() => repositoryFor(board.rows, undefined), isCode('INVALID_INPUT'));
    const other = new FakeClient({ root: '/other', name: 'other' });
    await show(client, other);
    assert.equal(repositoryFor(board.rows, 'other').client, other);
    assert.throws(() => repositoryFor(board.rows, undefined), /name one of these repositories: .*sample/);
    await show(client);
    assert.equal(repositoryFor(board.rows, undefined).client, client);
  });

  it('take no ticket without a title, and nothing they did not ask for', () => {
    assert.equal(toolInputs.beadsmith_new_ticket.safeParse({ title: '  ' }).success, false);
    assert.equal(toolInputs.beadsmith_new_ticket.safeParse({ title: 'A', start: true }).success, false);
    assert.equal(toolInputs.beadsmith_ticket.safeParse({ ticket: '../../x' }).success, false);
  });
});

function isCode(code: string) {
  return (error: unknown): boolean => error instanceof BeadsmithError && error.code === code;
}
