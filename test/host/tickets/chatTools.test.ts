import assert from 'node:assert/strict';
import { LanguageModelTextPart, lm } from 'vscode';
import * as z from 'zod';

const Ticket = z.looseObject({ id: z.string(), status: z.string() });

describe('tools for the chat', () => {
  it('list tickets, and read one with a document', async () => {
    const { tickets } = z.object({ tickets: z.array(Ticket) }).parse(await call('beadsmith_tickets', {}));
    assert.ok(tickets.some(({ id }) => id === 'SAMPL-1'));
    const answer = await call('beadsmith_ticket', { ticket: 'SAMPL-1', document: 'relevant_files' });
    assert.match(Ticket.extend({ document: z.string() }).parse(answer).document, /sum\.js/);
  });

  it('say what is wrong with what a model asks', async () => {
    await assert.rejects(call('beadsmith_ticket', { ticket: 'SAMPL-99' }), /SAMPL-99/);
  });
});

async function call(name: string, input: object): Promise<unknown> {
  const { content } = await lm.invokeTool(name, { input, toolInvocationToken: undefined });
  const [part] = content;
  assert.ok(part instanceof LanguageModelTextPart);
  return JSON.parse(part.value);
}
