import * as z from 'zod';
import { BeadsmithError, toBeadsmithError } from '../../../src/domain/core/errors.ts';
import type { TicketEvent } from '../../../src/domain/core/events.ts';
import type { PageContract, ToPage } from '../../../src/protocol/pages/frame.ts';
import { definePage } from '../../../src/views/pages/pageKind.ts';
import { PageSession } from '../../../src/views/pages/pageSession.ts';
import { TicketSource } from '../../../src/views/pages/ticketSource.ts';
import type { OpenRepository } from '../../../src/views/shared/repositories.ts';
import type { Workbench } from '../../../src/views/shared/workbench.ts';
import { PageLink } from '../../../webview-ui/base/pageLink.ts';
import { FakeClient } from '../fakes/fakeClient.ts';
import { FakeDrafts } from '../fakes/fakeDrafts.ts';

const contract = {
  name: 'test',
  state: z.object({ text: z.string() }),
  hint: z.object({ line: z.string() }),
  requests: {
    shout: {
      params: z.object({ text: z.string() }),
      result: z.object({ text: z.string() }),
      changes: true,
    },
    look: { params: z.null(), result: z.null() },
    lie: { params: z.null(), result: z.object({ text: z.string() }) },
    wait: { params: z.null(), result: z.null() },
  },
} as const satisfies PageContract;

/** Both ends of a page's conversation; what one posts the other gets as JSON. */
export class TalkingPage {
  readonly client = new Events();
  readonly drafts: FakeDrafts;
  readonly posted: ToPage[] = [];
  readonly titles: string[] = [];
  readonly problems: string[] = [];
  readonly released = Promise.withResolvers<null>();
  readonly link: PageLink<typeof contract>;
  readonly session: PageSession;
  text = 'first';
  builds = 0;
  reason = '';
  isOpen = true;

  constructor(drafts = new FakeDrafts()) {
    this.drafts = drafts;
    const repository = { root: '/sample', client: this.client } as unknown as OpenRepository;
    const page = definePage<typeof contract>({
      contract,
      title: (ticket, state) => `${ticket} ${state?.text ?? ''}`,
      build: () => {
        this.builds++;
        return this.text === ''
          ? Promise.reject(new BeadsmithError('TICKET_UNKNOWN', { ticket: 'TST-1' }))
          : Promise.resolve({ text: this.text });
      },
      requests: () => ({
        shout: ({ text }) =>
          text === ''
            ? Promise.reject(new BeadsmithError('STATUS_CONFLICT'))
            : Promise.resolve({ text: text.toUpperCase() }),
        look: () => Promise.resolve(null),
        lie: () => Promise.resolve({ text: 7 } as unknown as { text: string }),
        wait: () => this.released.promise,
      }),
      hint: (event) => (event.type === 'activity' ? { line: event.text } : undefined),
    });
    this.session = new PageSession({
      source: new TicketSource({
        page,
        ticket: 'TST-1',
        workbench: {} as Workbench,
        find: () =>
          this.isOpen
            ? Promise.resolve(repository)
            : Promise.reject(new BeadsmithError('REPOSITORY_NOT_OPEN', { path: '/sample' })),
        refusal: () => this.reason,
      }),
      logError: (what) => this.problems.push(what),
      post: (message) => {
        this.posted.push(message);
        this.link.receive(copy(message));
      },
      retitle: (title) => this.titles.push(title),
      explain: (thrown) => {
        const { code, message, nextStep } = toBeadsmithError(thrown);
        return { code, message, nextStep };
      },
      drafts: { store: drafts, place: { page: 'test', root: '/sample', ticket: 'TST-1' } },
    });
    this.link = new PageLink(contract, (message) => this.session.receive(copy(message)));
  }

  answersTo(id: number): readonly ToPage[] {
    return this.posted.filter((message) => message.type === 'answer' && message.id === id);
  }

  get states(): number {
    return this.posted.filter(({ type }) => type === 'state').length;
  }
}

class Events extends FakeClient {
  readonly #listeners = new Set<(event: TicketEvent) => void>();

  override onEvent = (listener?: (event: TicketEvent) => void): { dispose(): void } => {
    if (listener) this.#listeners.add(listener);
    return { dispose: () => listener && this.#listeners.delete(listener) };
  };

  say(text: string, ticket = 'TST-1'): void {
    for (const listener of this.#listeners)
      listener({ type: 'activity', ticket, at: 0, source: 'alpha', kind: 'text', text });
  }
}

function copy(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
