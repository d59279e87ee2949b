import { Database } from '../../../../src/adapters/store/sqlite/database.ts';
import { Bead } from '../../../../src/domain/beads/bead.ts';
import type { PromptPlan, Usage } from '../../../../src/domain/usage/promptPlan.ts';
import { Limits } from '../../../../src/domain/settings/settings.ts';
import type { Ticket } from '../../../../src/domain/ticket/ticket.ts';
import type { CallRow, JournalEntry, SessionRow, Store } from '../../../../src/engine/ports/storePort.ts';

export function createTicket(store: Pick<Store, 'createTicket'>, key?: string): Promise<Ticket> {
  return store.createTicket({
    prefix: 'ABC',
    atLeast: 1,
    title: 'Greet',
    description: 'Say hello.',
    priority: 3,
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
  return Bead.parse({
    id,
    title: `Bead ${id}`,
    prdRefs: [],
    description: 'Do it.',
    contextGuidance: { patterns: [], anti_patterns: [] },
    acceptanceCriteria: ['It is done.'],
    tests: [],
    testCommands: ['npm test'],
    priority: 1,
    status: 'pending',
    issueType: 'task',
    externalRef: '',
    labels: ['core'],
    dependencies: { blocked_by: [], blocks: [] },
    targetFiles: ['src/a.js'],
    notes: '',
    iteration: 1,
    createdAt: '',
    updatedAt: '',
    completedAt: '',
    startedAt: '',
    beadStartCommit: null,
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
  const plan: PromptPlan = {
    schema_version: 1,
    contextKey: 'prd_draft',
    prompt: 'prd-draft',
    promptSha256: 'a'.repeat(64),
    policy: 'read_only',
    model: 'demo/model',
    budget: 100_000,
    tokens: 900,
    parts: [],
    reductions: [],
  };
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
  return {
    messageId,
    model: 'demo/model',
    input,
    output: 10,
    reasoning: 0,
    cacheRead: 100,
    cacheWrite: 0,
    cost: 0.5,
  };
}

/** Runs SQL as damage or another program would. */
export function tamper(folder: string, sql: string, work?: (database: Database) => void): void {
  const database = new Database(folder);
  database.exec(sql);
  work?.(database);
  database.close();
}
