import assert from 'node:assert/strict';
import { BeadsmithError } from '../../../../src/domain/errors.ts';
import type { InboxEntry } from '../../../../src/domain/inbox.ts';
import type { Ticket } from '../../../../src/domain/ticket.ts';
import { type ActionChanges, controlTransaction } from '../../../../src/engine/drive/control.ts';
import type { Ports } from '../../../../src/engine/ports/ports.ts';

describe('a decision that the engine takes', () => {
  it('is not refused because the database cannot be read now', async () => {
    const summaries = (): Promise<never> => Promise.reject(new BeadsmithError('DISK_FULL'));
    const ports = { store: { summaries } } as unknown as Ports;
    const ticket = { id: 'TST-1', status: 'BLOCKED_ERROR', previousStatus: 'CODING' } as Ticket;
    const entry = { id: 'post-1', kind: 'retry', body: { note: '' } } as InboxEntry;
    await assert.rejects(controlTransaction(ports, ticket, undefined, entry, {} as ActionChanges), { code: 'DISK_FULL' });
  });
});
