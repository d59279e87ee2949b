import { Limits, Settings } from '../../../src/domain/settings/settings.ts';
import type { Ticket } from '../../../src/domain/ticket/ticket.ts';
import type { TicketDetail, TicketView } from '../../../src/protocol/api.ts';
import type { OpenRepository } from '../../../src/views/shared/repositories.ts';
import type { TicketPlace } from '../../../src/views/shared/workbench.ts';
import { FakeClient, ticketView } from './fakeClient.ts';
import { openRepository } from './fakeRepositories.ts';
import { sampleTicket } from '../samples.ts';

export interface TicketChanges extends Partial<Omit<TicketDetail, 'ticket' | 'view'>> {
  readonly ticket?: Partial<Ticket>;
  readonly view?: Partial<TicketView>;
  readonly actions?: TicketView['actions'];
}

/** As a command gets the ticket TST-1, with the client of its actions. */
export class FakePlace implements TicketPlace {
  readonly ticket = 'TST-1';
  readonly client: FakeClient;
  readonly repository: OpenRepository;
  /** Change it and tell the client, as the engine does. */
  detail: TicketDetail;

  constructor(
    changes: TicketChanges = {},
    repository: Partial<OpenRepository> = {},
    seen: Partial<FakeClient['repository']> = {},
  ) {
    this.client = new FakeClient(seen);
    this.detail = ticketDetail(changes);
    this.repository = openRepository(this.client, repository);
    this.client.ticket = () => Promise.resolve(this.detail);
  }

  become(changes: TicketChanges): void {
    this.detail = ticketDetail(changes);
    this.client.change(this.ticket);
  }

  /** Kind and body. */
  get sent(): readonly (readonly [string, unknown])[] {
    return this.client.sent.map(({ kind, body }) => [kind, body]);
  }
}

/** Waits for the approval of its PRD, unless said otherwise. */
export function ticketDetail({ ticket = {}, view = {}, actions, ...rest }: TicketChanges = {}): TicketDetail {
  const status = ticket.status ?? view.status ?? 'WAITING_PRD_APPROVAL';
  return {
    ticket: sampleTicket({
      description: 'By name.',
      status,
      revision: 1,
      settings: Settings.parse({ mainImplementer: 'demo/main' }),
      limits: Limits.parse({}),
      baseBranch: 'main',
      baseCommit: 'a'.repeat(40),
      branch: 'ticket/TST-1',
      worktree: '/sample.worktrees/TST-1',
      entry: { by: 'ready', body: null },
      createdAt: 0,
      updatedAt: 0,
      startedAt: 0,
      ...ticket,
    }),
    view: ticketView({
      title: 'Greet people',
      status,
      label: 'Approve the PRD',
      hold: ticket.hold?.kind ?? null,
      previousStatus: ticket.previousStatus ?? null,
      continuable: ticket.error?.continuable ?? false,
      ...(actions && { actions }),
      ...view,
    }),
    gate: null,
    requests: [],
    idle: true,
    error: null,
    ...rest,
  };
}
