import assert from 'node:assert/strict';
import type { App } from '../../../src/app/app.ts';
import { isIdle, isIdleByStore } from '../../../src/app/idle.ts';
import { engineSource } from '../../../src/domain/ticket/agentRequest.ts';
import type { Hold, Ticket } from '../../../src/domain/ticket/ticket.ts';
import type { Store } from '../../../src/engine/ports/storePort.ts';

describe('whether a ticket waits for nobody but a person', () => {
  const atWork = (hold: Hold | null): Promise<boolean> => {
    const app: unknown = {
      client: { ticket: () => Promise.resolve({ ticket: { hold }, idle: hold !== null }) },
      ports: { store: { ticket: () => Promise.resolve({ hold }) } },
      engine: { idleState: () => undefined },
    };
    return isIdle(app as App, 'TST-1');
  };
  const held = { since: 0, detail: '' };
  const request = {
    id: 'r',
    source: engineSource,
    since: 0,
    until: 1,
    content: { kind: 'question' as const, questions: [] },
  };

  it('is so while the engine asks, and while a limit of the day holds it until tomorrow', async () => {
    assert.equal(await atWork({ ...held, kind: 'question', request }), true);
    assert.equal(await atWork({ ...held, kind: 'budget', until: 1 }), true);
  });

  it('isn’t for a draft that started after it was read', async () => {
    const draft = { id: 'TST-1', status: 'DRAFT' } as Ticket;
    const store = {
      inbox: () => Promise.resolve([]),
      openRun: () => Promise.resolve(undefined),
      ticket: () => Promise.resolve({ ...draft, status: 'SCANNING_RELEVANT_FILES' }),
    } as unknown as Store;
    assert.equal(await isIdleByStore(store, draft, ['start']), false);
    const still = { ...store, ticket: () => Promise.resolve(draft) };
    assert.equal(await isIdleByStore(still, draft, ['start']), true);
  });

  it('isn’t for one whose question was answered, or that was continued, after it was read', async () => {
    const asking = {
      id: 'TST-1',
      status: 'CODING',
      hold: { ...held, kind: 'question', request },
    } as unknown as Ticket;
    const blocked = { id: 'TST-1', status: 'BLOCKED_ERROR', hold: null } as Ticket;
    const idleIf = (read: Ticket, now: Ticket): Promise<boolean> => {
      const store = {
        inbox: () => Promise.resolve([]),
        ticket: () => Promise.resolve(now),
      } as unknown as Store;
      return isIdleByStore(store, read, ['question_reply', 'retry']);
    };
    assert.equal(await idleIf(asking, { ...asking, hold: null }), false);
    assert.equal(
      await idleIf(asking, {
        ...asking,
        hold: { ...held, kind: 'question', request: { ...request, id: 'next' } },
      } as unknown as Ticket),
      false,
    );
    assert.equal(await idleIf(asking, asking), true);
    assert.equal(await idleIf(blocked, { ...blocked, status: 'CODING' }), false);
    assert.equal(await idleIf(blocked, blocked), true);
  });

  it('isn’t while it works, or an agent asks that continues by itself', async () => {
    const request = {
      id: 'r',
      source: 'demo/main',
      since: 0,
      until: 1,
      content: { kind: 'question' as const, questions: [] },
    };
    assert.equal(await atWork({ ...held, kind: 'question', request }), false);
    assert.equal(await atWork(null), false);
  });
});
