import type { Bead } from '../../../src/domain/beads/bead.ts';
import type { Usage } from '../../../src/domain/usage/promptPlan.ts';
import { Limits } from '../../../src/domain/settings/settings.ts';
import type { Ticket } from '../../../src/domain/ticket/ticket.ts';
import type { CallRow, JournalEntry, SessionRow, Store } from '../../../src/engine/ports/storePort.ts';
import { newTicket, sampleBead, samplePlan, sampleUsage } from '../samples.ts';

export function createTicket(store: Pick<Store, 'createTicket'>, key?: string): Promise<Ticket> {
  return store.createTicket({
    ...newTicket,
    prefix: 'ABC',
    title: 'Greet',
    description: 'Say hello.',
    ...(key === undefined ? {} : { key }),
  });
}

export function runOpened(ticket: Ticket, id = 'run-1', parent: string | null = null): JournalEntry {
  return {
    kind: 'run.opened',
    run: {
      id,
      ticket: ticket.id,
      status: ticket.status,
      attempt: 1,
      parent,
      handlerVersion: 1,
      snapshot: { ...ticket, attempt: 1, artifacts: {} },
      limits: Limits.parse({}),
    },
  };
}

export function bead(id: string): Bead {
  return sampleBead({
    id,
    title: `Bead ${id}`,
    description: 'Do it.',
    acceptanceCriteria: ['It is done.'],
    testCommands: ['npm test'],
    labels: ['core'],
    targetFiles: ['src/a.js'],
  });
}

export function session(ticket: string, id: string): SessionRow {
  return {
    id,
    ticket,
    run: 'run-1',
    step: 'ask',
    member: 'demo/model',
    bead: null,
    iteration: null,
    directory: '/tree',
    title: `title of ${id}`,
    state: 'active',
  };
}

export function call(ticket: string, id: string, more: Partial<CallRow> = {}): CallRow {
  const plan = samplePlan({
    contextKey: 'prd_draft',
    prompt: 'prd-draft',
    policy: 'read_only',
    model: 'demo/model',
    tokens: 900,
  });
  return {
    id,
    ticket,
    run: 'run-1',
    step: 'ask',
    session: 'session-1',
    plan,
    input: 'in',
    output: 'out',
    outcome: 'accepted',
    error: '',
    startedAt: 1,
    endedAt: 2,
    ...more,
  };
}

export function usage(messageId: string, input = 1_000): Usage {
  return sampleUsage({ messageId, model: 'demo/model', input, cacheRead: 100, cost: 0.5 });
}
