import * as z from 'zod';
import { DisposableStore } from '../base/disposable.ts';
import { Emitter } from '../base/emitter.ts';
import type { ArtifactInfo } from '../domain/ticket/artifacts.ts';
import type { Bead } from '../domain/beads/bead.ts';
import { planHash } from '../domain/beads/beadPlan.ts';
import type { ContextEntry } from '../domain/prompts/contextEntries.ts';
import { BeadsmithError, fromRecord, invalidInput } from '../domain/core/errors.ts';
import { ForgePullRequestReport } from '../domain/beads/reports.ts';
import type { ForgePlace } from '../domain/forge/forgePlace.ts';
import { IssueOrigin } from '../domain/forge/issue.ts';
import type { InboxBody, InboxEntry, InboxKind } from '../domain/ticket/inbox.ts';
import { needsProjectChecks } from '../domain/ticket/loop.ts';
import type { Usage } from '../domain/usage/promptPlan.ts';
import { withEdits } from '../domain/prompts/promptChoices.ts';
import { TicketInput, type Ticket } from '../domain/ticket/ticket.ts';
import { conditionedBy } from '../domain/documents/moves.ts';
import { allowedActions, refusalOf } from '../domain/workflow/availability.ts';
import type { Forges } from '../engine/ports/ports.ts';
import type { Store, TicketSummary } from '../engine/ports/storePort.ts';
import { approvedChecks } from '../phases/shared/approvedSetup.ts';
import { storedJson } from '../phases/shared/ticket/artifacts.ts';
import { choicesOf } from '../phases/shared/ticket/promptChoices.ts';
import type {
  ActionOutcome,
  Client,
  RepositoryView,
  TicketDetail,
  TicketView,
  WatchedPullRequest,
} from '../protocol/api.ts';
import type { FindingKeeper } from '../protocol/findings.ts';
import type { HistoryReader } from '../protocol/history.ts';
import type { CommentKeeper, DiffReader } from '../protocol/review.ts';
import {
  contextOf,
  readKept,
  approvalTarget,
  knownTicket,
  ticketComments,
  ticketView,
  checkFinding,
  checkReviewNote,
  ticketFindings,
} from './tickets/ticketView.ts';
import { checkBody } from './checkBody.ts';
import type { EventBus } from './eventBus.ts';
import type { ForgeWatch } from './forgeWatch.ts';
import { isIdleByStore } from './idle.ts';
import { ticketHistory } from './tickets/ticketHistory.ts';
import type { PromptsOfToday } from './tickets/ticketReplay.ts';

const Key = z
  .string()
  .min(1)
  .max(200)
  .refine((key) => !/\p{Cc}/u.test(key), 'A key is one line without control characters.');

interface StoreClientOptions {
  readonly store: Store;
  readonly repository: RepositoryView;
  readonly events: Pick<EventBus, 'on'>;
  readonly stateFolder: string;
  /** Brings the log in that folder up to date. */
  readonly refreshLog?: (ticket: string) => Promise<void>;
  readonly diffs: DiffReader;
  readonly forges: Pick<Forges, 'isThere' | 'places'>;
  /** Only a driver has one that looks. */
  readonly forgeWatch?: Pick<ForgeWatch, 'of' | 'hurry' | 'onDidLook'>;
  readonly today: PromptsOfToday;
  readonly elsewhere: HistoryReader['elsewhere'];
  readonly randomId: () => string;
  readonly isAgent?: boolean;
  /** Its number: the lowest that branches leave free. */
  readonly naming: () => Promise<{ readonly prefix: string; readonly atLeast: number }>;
  /** Throws NO_COMMITS and BASE_BRANCH_*. */
  readonly checkStart: (start: InboxBody<'start'>) => Promise<string>;
}

/** The client API over the database; actions are inbox entries. */
export class StoreClient implements Client {
  readonly repository: RepositoryView;
  readonly history: HistoryReader;
  readonly diffs: DiffReader;
  readonly comments: CommentKeeper;
  readonly findings: FindingKeeper;
  readonly onDidChange: Client['onDidChange'];
  readonly onEvent: Client['onEvent'];
  readonly #acted = new Emitter<{ readonly ticket: string; readonly kind: InboxKind }>();
  readonly onDidAct: Client['onDidAct'] = this.#acted.on;
  readonly #store: Store;
  readonly #options: StoreClientOptions;

  constructor(options: StoreClientOptions) {
    this.#options = options;
    this.#store = options.store;
    this.repository = options.repository;
    this.diffs = options.diffs;
    const parts = {
      store: options.store,
      ticket: (id: string) => this.#ticket(id),
      assertWritable: () => this.#assertWritable(),
    };
    this.comments = ticketComments(parts);
    this.findings = ticketFindings({ ...parts, isAgent: options.isAgent === true });
    this.history = ticketHistory({
      store: options.store,
      today: options.today,
      elsewhere: options.elsewhere,
      stateFolder: options.stateFolder,
      refreshLog: options.refreshLog,
      now: () => Date.now(),
      ticket: (id) => this.#ticket(id),
    });
    this.onDidChange = (listener) => {
      const parts = new DisposableStore();
      parts.add(this.#store.onDidChange(listener));
      if (options.forgeWatch) parts.add(options.forgeWatch.onDidLook(listener));
      return parts;
    };
    this.onEvent = options.events.on;
  }

  async create(input: Parameters<Client['create']>[0]): Promise<Ticket> {
    this.#assertWritable();
    const { key, origin, ...rest } = input;
    const ticket = parsed('The ticket', TicketInput, rest);
    const checkedKey = key === undefined ? {} : { key: parsed('The key', Key, key) };
    const checkedOrigin = origin && { origin: parsed('The origin', IssueOrigin, origin) };
    return this.#store.createTicket({
      ...ticket,
      ...checkedKey,
      ...checkedOrigin,
      ...(await this.#options.naming()),
    });
  }

  async tickets(ids?: readonly string[]): Promise<readonly TicketView[]> {
    return this.#shown(await this.#store.summaries(ids));
  }

  ticketsOfKeys(keys: readonly string[]): Promise<Readonly<Record<string, string>>> {
    return this.#store.ticketsOfKeys(keys);
  }

  async ticket(id: string): Promise<TicketDetail> {
    const ticket = await this.#ticket(id);
    const error = ticket.error && fromRecord(ticket.error);
    const summary = await this.#summary(ticket.id);
    const [view = ticketView(summary)] = await this.#shown([summary]);
    return {
      ticket,
      view,
      gate: await approvalTarget(this.#store, ticket),
      requests: ticket.hold?.request ? [ticket.hold.request] : [],
      idle: await isIdleByStore(this.#store, ticket, allowedActions(summary)),
      error: error && {
        code: error.code,
        message: error.message,
        nextStep: error.nextStep,
        continuable: error.continuable,
      },
    };
  }

  async act<K extends InboxKind>(
    id: string,
    kind: K,
    body: InboxBody<K>,
    entry?: string,
  ): Promise<{ readonly id: string }> {
    this.#assertWritable();
    const ticket = await this.#ticket(id);
    // An agent's attempt is filed without a seal, so that the driver refuses it and the ticket's log shows
    // it.
    if (this.#options.isAgent === true)
      await this.#store.post({ id: entry ?? this.#options.randomId(), ticket: ticket.id, kind, body });
    if (entry !== undefined && (await this.#entry(ticket.id, entry))) return { id: entry };
    const refused = refusalOf(await this.#summary(ticket.id), conditionedBy({ kind, body }));
    if (refused) throw refused;
    const given = checkBody(ticket, kind, body);
    if (given.kind === 'finding') await checkFinding(this.#store, ticket.id, given.body);
    if (given.kind === 'review_note') checkReviewNote(ticket);
    // A runner that would say so may be away.
    if (given.kind === 'approve' && this.repository.mode === 'team') {
      const gate = await approvalTarget(this.#store, ticket);
      if (gate && gate.sha256 !== given.body.sha256)
        throw new BeadsmithError('STALE_APPROVAL', { artifact: gate.artifact });
    }
    const loop = given.kind === 'start' ? given.body.loop : undefined;
    if (loop && needsProjectChecks(loop) && (await this.projectChecks()).length === 0)
      throw new BeadsmithError('LOOP_UNPROVED');
    // The driver's checkout may have another default branch.
    const checked =
      given.kind === 'start'
        ? { ...given, body: { ...given.body, baseBranch: await this.#options.checkStart(given.body) } }
        : given;
    const posted = await this.#store.post({
      id: entry ?? this.#options.randomId(),
      ticket: ticket.id,
      kind: checked.kind,
      body: checked.body,
    });
    this.#acted.emit({ ticket: ticket.id, kind });
    return { id: posted.id };
  }

  async outcome(ticket: string, id: string): Promise<ActionOutcome | undefined> {
    const entry = await this.#entry((await this.#ticket(ticket)).id, id);
    if (!entry || entry.state === 'pending') return undefined;
    return entry.state === 'consumed'
      ? { state: 'consumed' }
      : {
          state: 'refused',
          code: entry.outcome?.code ?? 'UNEXPECTED',
          message: entry.outcome?.message ?? '',
          ...(entry.outcome?.error ? { error: entry.outcome.error } : {}),
        };
  }

  async pullRequestPlaces(ticket: string): Promise<readonly ForgePlace[]> {
    const { id } = await this.#ticket(ticket);
    const earlier = await storedJson(
      { ticket: id, ports: { store: this.#store } },
      'forge_pull_request',
      ForgePullRequestReport,
    );
    return this.#options.forges.places(earlier && { repository: earlier.repository });
  }

  watchedPullRequest(ticket: string): WatchedPullRequest | undefined {
    return this.#options.forgeWatch?.of(ticket);
  }

  checkPullRequests(): void {
    this.#options.forgeWatch?.hurry();
  }

  projectChecks(): Promise<readonly string[]> {
    return approvedChecks(this.#store);
  }

  async context(ticket: string): Promise<readonly ContextEntry[]> {
    const { id } = await this.#ticket(ticket);
    const stored = await this.artifact(id, 'context_entries');
    const entries = contextOf(await this.#store.inbox(id), readKept(stored?.content));
    return withEdits(entries, await choicesOf({ store: this.#store }, id));
  }

  async artifacts(ticket: string): Promise<readonly ArtifactInfo[]> {
    return this.#store.artifacts((await this.#ticket(ticket)).id);
  }

  async artifact(
    ticket: string,
    type: string,
    version?: number,
  ): Promise<{ readonly info: ArtifactInfo; readonly content: string } | undefined> {
    const { id } = await this.#ticket(ticket);
    const versions = await this.#store.artifacts(id, { type });
    const info =
      version === undefined
        ? versions.findLast((one) => !one.archived)
        : versions.find((one) => one.version === version);
    const content = info && (await this.#store.artifactContent(info.id));
    return info && content !== undefined ? { info, content } : undefined;
  }

  async beads(ticket: string): Promise<{ readonly beads: readonly Bead[]; readonly sha256: string }> {
    const beads = await this.#store.beads((await this.#ticket(ticket)).id);
    return { beads, sha256: planHash(beads) };
  }

  async usage(
    ticket: string,
  ): Promise<readonly (Usage & { readonly run: string; readonly call: string | null })[]> {
    return this.#store.usage((await this.#ticket(ticket)).id);
  }

  /** Without a remote on a forge, nobody is offered to create a pull request there. */
  async #shown(summaries: readonly TicketSummary[]): Promise<readonly TicketView[]> {
    const views = summaries.map(ticketView);
    if (!views.some(({ actions }) => actions.includes('create_pull_request'))) return views;
    if (await this.#options.forges.isThere().catch(() => false)) return views;
    return views.map((view) => ({
      ...view,
      actions: view.actions.filter((action) => action !== 'create_pull_request'),
    }));
  }

  #assertWritable(): void {
    const { mode, reason } = this.repository;
    if (mode === 'readOnly') throw new BeadsmithError('DATABASE_READ_ONLY', { reason });
  }

  #ticket(id: string): Promise<Ticket> {
    return knownTicket(this.#store, id);
  }

  async #summary(id: string): Promise<TicketSummary> {
    const [summary] = await this.#store.summaries([id]);
    if (!summary) throw new BeadsmithError('TICKET_UNKNOWN', { ticket: id });
    return summary;
  }

  async #entry(ticket: string, id: string): Promise<InboxEntry | undefined> {
    return (await this.#store.inbox(ticket)).find((entry) => entry.id === id);
  }
}

function parsed<T>(what: string, schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw invalidInput(what, z.prettifyError(result.error));
}
