import assert from 'node:assert/strict';
import { EventBus } from '../../../src/app/eventBus.ts';
import type { TicketEvent } from '../../../src/domain/core/events.ts';

describe('an event', () => {
  it('reaches nobody with a secret in it', () => {
    const token = ['ghp', 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('_');
    const bus = new EventBus();
    const seen: TicketEvent[] = [];
    bus.on((event) => seen.push(event));
    const event = { type: 'activity', ticket: 'TST-1', at: 1, source: 'tiny/one', kind: 'tool' } as const;
    bus.emit({ ...event, text: `bash running curl -H "Authorization: Bearer ${token}"` });
    assert.deepEqual(seen, [
      { ...event, text: 'bash running curl -H "Authorization: Bearer (redacted github)"' },
    ]);
  });
});
