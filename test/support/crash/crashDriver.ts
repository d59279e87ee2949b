import { appendFileSync } from 'node:fs';
import * as z from 'zod';
import { openParts } from '../../../src/app/createApp.ts';
import { DrivenApp } from '../../../src/app/app.ts';
import { driveToStop } from '../../../src/cli/drive/driveToStop.ts';
import { gateNames } from '../../../src/cli/base/gates.ts';
import { completeSettings, Limits } from '../../../src/domain/settings/settings.ts';
import { Crash, type CrashRecord } from './crashPoints.ts';
import { crashPorts } from './crashPorts.ts';

/**
 * A process that drives one ticket as far as it goes, or until it is killed where its orders say:
 * `node crashDriver.ts '<json>'`. It is the whole product on real ports; only with a `crash` are they
 * wrapped.
 */
export const CrashOrders = z.object({
  folder: z.string(),
  server: z.object({ url: z.string(), password: z.string() }),
  provider: z.string(),
  crash: Crash.nullable(),
  /** Where to write what happened, one CrashRecord a line. */
  record: z.string(),
});
export type CrashOrders = z.infer<typeof CrashOrders>;

/** One bead comes of it, as the generic plan makes one of a ticket without a list. */
const crashTicket = {
  title: 'Keep a note of the crash',
  description: 'One small note, tested.',
  priority: 3,
  key: 'crash',
};

if (import.meta.main) await drive(CrashOrders.parse(JSON.parse(process.argv[2] ?? '')));

async function drive(orders: CrashOrders): Promise<void> {
  const record = (entry: CrashRecord): void => {
    appendFileSync(orders.record, `${JSON.stringify(entry)}\n`);
  };
  const parts = await openParts({
    folder: orders.folder,
    drive: true,
    decisions: { decide: () => Promise.resolve() },
    env: process.env,
    sandbox: 'off',
    opencode: orders.server,
  });
  const app = new DrivenApp(
    orders.crash ? { ...parts, ports: crashPorts(parts.ports, orders.crash, orders.record) } : parts,
  );
  const { id, status } = await app.client.create(crashTicket);
  const pending = await app.ports.store.inbox(id, { pending: true });
  if (status === 'DRAFT' && pending.length === 0) {
    const member = (model: string): string => `${orders.provider}/${model}`;
    const council = { mainImplementer: member('alpha'), councilMembers: [member('beta')] };
    const settings = completeSettings({
      depth: 'full',
      ...council,
      review: 'off',
      integration: 'squash',
      agentQuestions: 'deny',
    });
    const { id: entry } = await app.client.act(id, 'start', { settings, limits: Limits.parse({}) });
    record({ type: 'posted', action: 'start', id: entry });
  }
  await app.start([id]);
  const end = await driveToStop(
    { app, reopen: () => Promise.reject(new Error('Nobody takes the place of this driver.')) },
    id,
    {
      policy: { approve: new Set(gateNames), answers: undefined, skipInterview: true, end: 'close' },
      signal: new AbortController().signal,
      output: {
        event: (event) => {
          if (event.type === 'posted') record({ type: 'posted', action: event.action, id: event.id });
        },
        text: () => undefined,
        close: () => undefined,
      },
    },
  );
  const error = end?.error ? `${end.error.code}: ${end.error.message}` : null;
  record({ type: 'stopped', status: end?.ticket.status ?? '', error });
  await app.dispose();
  process.exit();
}
