import type * as z from 'zod';
import type { Team, TeamTickets } from '../../app/team.ts';
import { jsonOf } from '../../base/json.ts';
import { BeadsmithError } from '../../domain/core/errors.ts';
import { documentOf } from '../../domain/documents/documents.ts';
import { approvalHash } from '../../domain/documents/workDocuments.ts';
import { QaChecklist, qaChecklistDocument } from '../../domain/documents/qaChecklist.ts';
import type { SealedEntry } from '../../domain/team/seal.ts';
import { documentsAt, type TicketDetail, type TicketView } from '../../protocol/api.ts';
import { openQuestions } from '../../protocol/openQuestions.ts';
import { ApprovalArtifact } from '../../protocol/pages/approval.ts';
import {
  type servedAnswers,
  type ServedDetail,
  type ServedKind,
  servedKinds,
  type ServedTicket,
} from '../../protocol/team/served.ts';

/** Milliseconds before the team is asked for new repositories. */
const namesKeptMs = 10_000;
/** Characters of diffs that one answer has. */
const mostDiffs = 2_000_000;
const mostHistory = 60;

/** A ticket with its repository. */
type TeamView = TicketView & { readonly repository: string };

/** The tickets of all repositories of a team, each open from its first use on. */
export class TeamOfServer {
  readonly #team: Team;
  readonly #opened = new Map<string, Promise<TeamTickets>>();
  #names: readonly string[] = [];
  #namesAt = 0;
  #changes = 1;

  constructor(team: Team) {
    this.#team = team;
  }

  /** Rises with each change of any ticket. */
  get changes(): number {
    return this.#changes;
  }

  /** Those that wait for a person first, then by the last change. A damaged repository hides no other. */
  async list(): Promise<z.infer<typeof servedAnswers.tickets>> {
    const { views, unread } = await this.views();
    const tickets = views
      .map(servedTicket)
      .sort((a, b) => Number(b.waits) - Number(a.waits) || b.updatedAt - a.updatedAt);
    return { tickets, unread };
  }

  async views(): Promise<{ readonly views: readonly TeamView[]; readonly unread: string[] }> {
    const unread: string[] = [];
    const lists = await Promise.all(
      (await this.#known()).map(async (repository) => {
        try {
          return (await this.tickets(repository)).map((view) => ({ ...view, repository }));
        } catch {
          unread.push(repository);
          return [];
        }
      }),
    );
    return { views: lists.flat(), unread: unread.sort() };
  }

  async ticket(repository: string, id: string): Promise<TicketDetail> {
    return (await this.#ticketsOf(repository)).client.ticket(id);
  }

  async tickets(repository: string): Promise<readonly TicketView[]> {
    return (await this.#open(repository)).client.tickets();
  }

  async detail(repository: string, id: string): Promise<ServedDetail> {
    const { client } = await this.#ticketsOf(repository);
    const detail = await client.ticket(id);
    const ticket = servedTicket({ ...detail.view, repository });
    const documents = await documentsOf(client, detail);
    const can = ticket.can.filter((kind) => kind !== 'approve' || (documents.length > 0 && detail.idle));
    const batch = can.includes('answer') ? await openQuestions(client, id) : undefined;
    const asksReply = can.includes('question_reply') || can.includes('permission_reply');
    return {
      ...ticket,
      can,
      description: detail.ticket.description,
      error: detail.error && { message: detail.error.message, nextStep: detail.error.nextStep },
      gapsOpen: detail.view.actions.includes('fix_gaps'),
      documents,
      sha256: documents.length === 0 ? null : approvalHash(documents.map(({ sha256 }) => sha256)),
      diffs: can.includes('accept_bead') || can.includes('changes') ? await diffsOf(client, id) : [],
      batch: batch ? { ...batch, questions: [...batch.questions] } : null,
      qa: can.includes('qa') ? await checklistOf(client, id) : null,
      branch: detail.ticket.branch ?? id,
      base: detail.ticket.baseBranch ?? '?',
      hasWorktree: detail.ticket.worktree !== null,
      requests: asksReply ? [...detail.requests] : [],
      history: (await client.history.runs(id))
        .slice(-mostHistory)
        .map(({ label, startedAt, endedAt }) => ({ label, at: startedAt, endedAt })),
    };
  }

  /** Throws what `TeamTickets.file` throws. */
  async file(repository: string, entry: SealedEntry, seal: string): Promise<{ readonly id: string }> {
    return (await this.#ticketsOf(repository)).file(entry, seal);
  }

  async outcome(
    repository: string,
    ticket: string,
    id: string,
  ): Promise<{ state: 'pending' | 'consumed' | 'refused'; message: string }> {
    const outcome = await (await this.#ticketsOf(repository)).client.outcome(ticket, id);
    if (!outcome) return { state: 'pending', message: '' };
    return { state: outcome.state, message: outcome.state === 'refused' ? outcome.message : '' };
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.#opened.values()].map(async (opening) => (await opening).close()));
  }

  /** Only what is in the team's list is opened: opening makes tables. */
  async #ticketsOf(repository: string): Promise<TeamTickets> {
    if (!(await this.#known()).includes(repository))
      throw new BeadsmithError('TICKET_UNKNOWN', { ticket: repository });
    return this.#open(repository);
  }

  async #known(): Promise<readonly string[]> {
    if (performance.now() - this.#namesAt > namesKeptMs || this.#names.length === 0) {
      this.#names = await this.#team.names();
      this.#namesAt = performance.now();
    }
    return this.#names;
  }

  #open(name: string): Promise<TeamTickets> {
    const known = this.#opened.get(name);
    if (known) return known;
    const opening = this.#team.open(name).then((tickets) => {
      tickets.client.onDidChange(() => this.#changes++);
      return tickets;
    });
    this.#opened.set(name, opening);
    opening.catch(() => this.#opened.delete(name));
    return opening;
  }
}

function servedTicket(view: TeamView): ServedTicket {
  const { repository, id, title, label, column, needsPerson, updatedAt, actions } = view;
  const can: readonly ServedKind[] = servedKinds.filter((kind) => actions.includes(kind));
  return { repository, id, title, label, column, waits: needsPerson, updatedAt, can: [...can] };
}

/** With the hash of what is read here, which may be newer than the gate that was read. */
async function documentsOf(
  client: TeamTickets['client'],
  { gate, ticket }: TicketDetail,
): Promise<ServedDetail['documents']> {
  const found = await Promise.all(
    documentsAt(gate).map(async ({ artifact: name }) => {
      const artifact = ApprovalArtifact.parse(name);
      if (documentOf(artifact).rows) {
        const { beads, sha256 } = await client.beads(ticket.id);
        return [{ artifact, sha256, content: JSON.stringify(beads) }];
      }
      const stored = await client.artifact(ticket.id, artifact);
      return stored ? [{ artifact, sha256: stored.info.sha256, content: stored.content }] : [];
    }),
  );
  return found.flat();
}

async function checklistOf(client: TeamTickets['client'], ticket: string): Promise<ServedDetail['qa']> {
  const stored = await client.artifact(ticket, qaChecklistDocument.kind);
  const content = QaChecklist.safeParse(stored && jsonOf(stored.content));
  return stored && content.success ? { sha256: stored.info.sha256, content: content.data } : null;
}

async function diffsOf(client: TeamTickets['client'], ticket: string): Promise<ServedDetail['diffs']> {
  const diffs: ServedDetail['diffs'] = [];
  let left = mostDiffs;
  for (const { id: bead, title, status } of (await client.beads(ticket)).beads) {
    const stored = status === 'done' ? await client.artifact(ticket, `bead_diff:${bead}`) : undefined;
    if (!stored || stored.content.length > left) continue;
    left -= stored.content.length;
    diffs.push({ bead, title, sha256: stored.info.sha256, content: stored.content });
  }
  return diffs;
}
