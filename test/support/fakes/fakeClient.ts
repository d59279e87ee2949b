import { Emitter } from '../../../src/base/emitter.ts';
import { BeadsmithError } from '../../../src/domain/core/errors.ts';
import type { TicketEvent } from '../../../src/domain/core/events.ts';
import { type ActionFacts, allowedActions } from '../../../src/domain/workflow/availability.ts';
import type { ProviderThatMisses } from '../../../src/domain/promptCache/providersThatMiss.ts';
import type {
  CallTexts,
  HistoryReader,
  JournalLine,
  LogLine,
  RunView,
} from '../../../src/protocol/history.ts';
import type { ReplayedTexts } from '../../../src/protocol/replays.ts';
import type { InspectedCall } from '../../../src/protocol/inspection.ts';
import type { ActionOutcome, Client, TicketView } from '../../../src/protocol/api.ts';
import type { ForgePlace } from '../../../src/domain/forge/forgePlace.ts';
import type { InboxKind } from '../../../src/domain/ticket/inbox.ts';
import type { Check } from '../../../src/protocol/checks.ts';
import { FakeDiffs } from './fakeDiffs.ts';
import { FakeFindings } from './fakeFindings.ts';
import type { ReviewThread } from '../../../src/domain/findings/reviewThread.ts';
import type { CommentKeeper } from '../../../src/protocol/review.ts';

/** A test sets what is shown, and reads what was sent. */
export class FakeClient implements Client {
  readonly repository: Client['repository'];
  readonly sent: { readonly ticket: string; readonly kind: string; readonly body: unknown }[] = [];
  readonly documents = new Map<string, string>();
  readonly history = new FakeHistory(() => this.views);
  readonly diffs = new FakeDiffs();
  readonly comments = new FakeComments();
  readonly findings = new FakeFindings();
  views: readonly TicketView[] = [];
  entries: Awaited<ReturnType<Client['context']>> = [];
  checks: readonly Check[] = [];
  approved: readonly string[] = [];
  /** How often all tickets were read, and which were asked for by id. */
  reads = 0;
  readonly asked: string[] = [];
  becomes: ActionOutcome | undefined = { state: 'consumed' };
  readonly #changed = new Emitter<string | undefined>();

  readonly #acted = new Emitter<{ readonly ticket: string; readonly kind: InboxKind }>();

  readonly onDidChange = this.#changed.on;
  readonly onDidAct = this.#acted.on;

  constructor(repository: Partial<Client['repository']> = {}) {
    this.repository = { root: '/sample', name: 'sample', mode: 'driver', reason: '', ...repository };
  }

  /** Or any ticket may have changed. */
  change(ticket?: string): void {
    this.#changed.emit(ticket);
  }

  happens(event: TicketEvent): void {
    this.#events.emit(event);
  }

  tickets(ids?: readonly string[]): Promise<readonly TicketView[]> {
    if (ids === undefined) this.reads += 1;
    else this.asked.push(...ids);
    return Promise.resolve(this.views.filter(({ id }) => ids?.includes(id) ?? true));
  }

  act: Client['act'] = (ticket, kind, body) => {
    this.sent.push({ ticket, kind, body });
    this.#acted.emit({ ticket, kind });
    return Promise.resolve({ id: `entry-${String(this.sent.length)}` });
  };

  outcome(): Promise<ActionOutcome | undefined> {
    return Promise.resolve(this.becomes);
  }

  artifact: Client['artifact'] = (ticket, type, version) => {
    const content = this.documents.get(type);
    if (content === undefined) return Promise.resolve(undefined);
    const common = {
      id: 1,
      ticket,
      type,
      status: 'WAITING_PRD_APPROVAL',
      attempt: 1,
      createdAt: 0,
      archived: false,
    } as const;
    return Promise.resolve({
      info: { ...common, version: version ?? 1, sha256: 'a'.repeat(64), bytes: content.length },
      content,
    });
  };

  beads: Client['beads'] = () => Promise.resolve({ beads: [], sha256: 'b'.repeat(64) });
  /** Where pull requests could go. */
  places: readonly ForgePlace[] = [];
  watchedPullRequest: Client['watchedPullRequest'] = () => undefined;
  forgeChecks = 0;
  checkPullRequests: Client['checkPullRequests'] = () => {
    this.forgeChecks += 1;
  };
  pullRequestPlaces: Client['pullRequestPlaces'] = () => Promise.resolve(this.places);
  projectChecks: Client['projectChecks'] = () => Promise.resolve(this.approved);
  context: Client['context'] = () => Promise.resolve(this.entries);
  artifacts: Client['artifacts'] = () => Promise.resolve([]);
  usage: Client['usage'] = () => Promise.resolve([]);
  readonly #events = new Emitter<TicketEvent>();
  onEvent: Client['onEvent'] = this.#events.on;
  create: Client['create'] = () => refused('create');
  ticket: Client['ticket'] = () => refused('ticket');
  /** Ids of tickets by key. */
  keyed: Readonly<Record<string, string>> = {};
  ticketsOfKeys: Client['ticketsOfKeys'] = () => Promise.resolve(this.keyed);
}

/** A draft unless said otherwise, with the actions that follow from the rest. */
export function ticketView(
  changes: Partial<TicketView> & Partial<ActionFacts> & { readonly onForge?: boolean } = {},
): TicketView {
  const {
    previousStatus = null,
    continuable = false,
    openGaps = false,
    errorCode = null,
    ...others
  } = changes;
  const {
    passesGates = false,
    merged = false,
    published = false,
    checksFailed = false,
    mergePlanned = false,
    onForge = false,
    ...view
  } = others;
  const { status = 'DRAFT', hold = null, beadsDone = 0 } = view;
  const facts = {
    status,
    previousStatus,
    hold,
    continuable,
    openGaps,
    passesGates,
    merged,
    published,
    checksFailed,
    mergePlanned,
    beadsDone,
    errorCode,
  };
  return {
    actions: allowedActions(facts).filter((action) => onForge || action !== 'create_pull_request'),
    id: 'TST-1',
    title: 'A ticket',
    status: 'DRAFT',
    label: 'Draft',
    column: 'To Do',
    band: 'todo',
    priority: 3,
    hold: null,
    needsPerson: false,
    preparing: false,
    beadsDone: 0,
    beadsTotal: 0,
    coding: null,
    holdUntil: null,
    waitsFor: null,
    updatedAt: 1,
    ...view,
  };
}

function refused(what: string): Promise<never> {
  return Promise.reject(new BeadsmithError('UNEXPECTED', { reason: `this test has no ${what}` }));
}

/** The log is one page. */
class FakeHistory implements HistoryReader {
  pastRuns: readonly RunView[] = [];
  pastCalls: readonly CallTexts[] = [];
  lines: readonly LogLine[] = [];
  entries: readonly JournalLine[] = [];
  readonly #views: () => readonly TicketView[];

  constructor(views: () => readonly TicketView[]) {
    this.#views = views;
  }

  completed: HistoryReader['completed'] = (newest) => {
    const completed = this.#views().filter(({ status }) => status === 'COMPLETED');
    const latest = completed.toSorted((one, other) => other.updatedAt - one.updatedAt);
    return Promise.resolve(latest.slice(0, newest).map(({ id }) => id));
  };
  runs: HistoryReader['runs'] = () => Promise.resolve(this.pastRuns);
  calls: HistoryReader['calls'] = () => Promise.resolve(this.pastCalls);
  inspected: readonly InspectedCall[] = [];
  spent: HistoryReader['spent'] = () => Promise.resolve({});
  inspect: HistoryReader['inspect'] = () => Promise.resolve(this.inspected);
  missing: readonly ProviderThatMisses[] = [];
  misses: HistoryReader['misses'] = () => Promise.resolve(this.missing);
  call: HistoryReader['call'] = (_ticket, id) =>
    Promise.resolve(this.pastCalls.find((call) => call.id === id));
  replays: readonly ReplayedTexts[] = [];
  replay: HistoryReader['replay'] = () => Promise.resolve(this.replays.map(({ call }) => call));
  replayed: HistoryReader['replayed'] = (_ticket, number) => Promise.resolve(this.replays[number - 1]);
  elsewhere: HistoryReader['elsewhere'] = () => Promise.resolve([]);
  journal: HistoryReader['journal'] = () => Promise.resolve(this.entries);
  decision: HistoryReader['decision'] = () => Promise.resolve(undefined);
  events: readonly TicketEvent[] = [];
  transcript: HistoryReader['transcript'] = () => Promise.resolve({ events: this.events, earlier: null });
  log: HistoryReader['log'] = () =>
    Promise.resolve({ lines: this.lines, total: this.lines.length, earlier: null });
}

/** Without a check of who wrote last. */
class FakeComments implements CommentKeeper {
  stored: readonly ReviewThread[] = [];

  threads: CommentKeeper['threads'] = (ticket) =>
    Promise.resolve(this.stored.filter((thread) => thread.ticket === ticket));

  save: CommentKeeper['save'] = (thread) => {
    const saved = { ...thread, revision: thread.revision + 1 };
    const known = this.stored.some(({ id }) => id === thread.id);
    this.stored = known
      ? this.stored.map((one) => (one.id === thread.id ? saved : one))
      : [...this.stored, saved];
    return Promise.resolve(saved);
  };

  remove: CommentKeeper['remove'] = (_ticket, id) => {
    this.stored = this.stored.filter((thread) => thread.id !== id);
    return Promise.resolve();
  };
}
