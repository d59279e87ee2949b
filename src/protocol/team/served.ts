import * as z from 'zod';
import { approvedKinds } from '../../domain/documents/workDocuments.ts';
import { QaChecklist } from '../../domain/documents/qaChecklist.ts';
import { Sha256, TicketId } from '../../domain/core/ids.ts';
import { BatchQuestion } from '../../domain/requirements/interview.ts';
import { TeamKey, TeamName, TeamRole } from '../../domain/team/keys.ts';
import { PendingRequest } from '../../domain/ticket/agentRequest.ts';
import type { InboxKind } from '../../domain/ticket/inbox.ts';
import { FleetState, RunnerOrder } from './fleet.ts';

/**
 * The actions that people take in a browser (docs/decisions/222-approve-from-anywhere.md). Others need what
 * it hasn't: a list of models, places on a forge, or an editor for a text.
 */
export const servedKinds = [
  'approve',
  'answer',
  'regenerate',
  'fix_gaps',
  'changes',
  'accept_bead',
  'permission_reply',
  'question_reply',
  'qa',
  'check_again',
  'retry',
  'continue',
  'pause',
  'resume',
  'review_note',
  'close',
  'check_pull_request',
  'rerun_checks',
  'fix_checks',
  'unplan_merge',
  'close_pull_request',
  'rewind_setup',
  'plan_in_full',
  'wait_at_gates',
  'pass_gates',
  'cancel',
] as const satisfies readonly InboxKind[];
/** One of them. */
export type ServedKind = (typeof servedKinds)[number];
const ServedKind = z.enum(servedKinds);

const Name = z.string().min(1).max(200);
const Signature = z.string().regex(/^[\w-]{20,200}$/);
const Nonce = z.string().regex(/^[\w-]{43}$/);
const KeyId = z.string().regex(/^[0-9a-f]{32}$/);
const RunnerId = z.string().regex(/^[\w-]{1,100}$/);
const signed = { nonce: Nonce, signature: Signature };
const Place = z.strictObject({ repository: Name, ticket: TicketId });

/** A browser's requests, as the server takes them. */
export const served = {
  pair: z.strictObject({
    code: z.string().max(100),
    publicKey: z.string().max(200),
    device: TeamName,
    ...signed,
  }),
  signIn: z.strictObject({ key: KeyId, ...signed }),
  place: Place,
  outcome: Place.extend({ id: z.uuid() }),
  decide: Place.extend({
    id: z.uuid(),
    kind: ServedKind,
    body: z.record(z.string(), z.unknown()),
    signature: Signature,
  }),
  invite: z.strictObject({ person: TeamName, role: TeamRole, ...signed }),
  revoke: z.strictObject({ key: KeyId, ...signed }),
  order: z.strictObject({ runner: RunnerId, wanted: RunnerOrder, ...signed }),
  nothing: z.strictObject({}),
};

/** The person who is signed in. `token`: sent with each change. */
export const Me = z.object({
  key: KeyId,
  person: z.string(),
  device: z.string(),
  role: TeamRole,
  token: z.string(),
});
export type Me = z.infer<typeof Me>;

/** A ticket in the list. `can`: decisions that it takes now. `waits`: for a person. */
export const ServedTicket = z.object({
  repository: z.string(),
  id: z.string(),
  title: z.string(),
  label: z.string(),
  column: z.string(),
  waits: z.boolean(),
  updatedAt: z.number(),
  can: z.array(ServedKind),
});
export type ServedTicket = z.infer<typeof ServedTicket>;

/** A text with the hash that a decision about it carries. Beads are JSON. */
const HashedText = z.object({ sha256: Sha256, content: z.string() });

/** All that a person sees of a ticket. */
export const ServedDetail = ServedTicket.extend({
  description: z.string(),
  error: z.object({ message: z.string(), nextStep: z.string() }).nullable(),
  /** Needs a reason to be approved. */
  gapsOpen: z.boolean(),
  documents: z.array(HashedText.extend({ artifact: z.enum(approvedKinds) })),
  /** The hash of all documents under decision. */
  sha256: Sha256.nullable(),
  diffs: z.array(HashedText.extend({ bead: z.string(), title: z.string() })),
  batch: z
    .object({ number: z.number().int(), commentary: z.string(), questions: z.array(BatchQuestion) })
    .nullable(),
  requests: z.array(PendingRequest),
  /** The checklist that people work through. */
  qa: HashedText.extend({ content: QaChecklist }).nullable(),
  /** The names in the questions of actions. */
  branch: z.string(),
  base: z.string(),
  hasWorktree: z.boolean(),
  history: z.array(z.object({ label: z.string(), at: z.number(), endedAt: z.number().nullable() })),
});
export type ServedDetail = z.infer<typeof ServedDetail>;

/** The server's answers. */
export const servedAnswers = {
  challenge: z.object({ nonce: Nonce }),
  me: Me,
  /** `unread`: the repositories that can't be read. */
  tickets: z.object({ tickets: z.array(ServedTicket), unread: z.array(z.string()) }),
  detail: ServedDetail,
  filed: z.object({ id: z.string() }),
  outcome: z.object({ state: z.enum(['pending', 'consumed', 'refused']), message: z.string() }),
  devices: z.object({ devices: z.array(TeamKey.omit({ publicKey: true })) }),
  pairing: z.object({ code: z.string(), expiresAt: z.number() }),
  fleet: FleetState,
  changes: z.object({ at: z.number() }),
  done: z.object({}),
  failure: z.object({ code: z.string(), message: z.string(), nextStep: z.string() }),
};

/** The paths of the API. */
export const servedPaths = {
  challenge: '/api/challenge',
  pair: '/api/pair',
  signIn: '/api/sign-in',
  signOut: '/api/sign-out',
  me: '/api/me',
  tickets: '/api/tickets',
  ticket: '/api/ticket',
  decide: '/api/decide',
  outcome: '/api/outcome',
  devices: '/api/devices',
  invite: '/api/invite',
  revoke: '/api/revoke',
  fleet: '/api/fleet',
  order: '/api/order',
  changes: '/api/changes',
} as const;

/** The end of the address of a ticket's page. */
export function ticketHash(repository: string, ticket: string): string {
  return `#${encodeURIComponent(repository)}/${encodeURIComponent(ticket)}`;
}

/** The header that carries `Me.token`. */
export const tokenHeader = 'x-beadsmith-token';
