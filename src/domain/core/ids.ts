import * as z from 'zod';

const prefixPattern = '[A-Z][A-Z0-9]{1,4}';
/** The source of an expression for a ticket id's number. */
export const ticketNumberPattern = '[1-9][0-9]{0,8}';
/** The source of an expression for a ticket's id. */
export const ticketIdPattern = `${prefixPattern}-${ticketNumberPattern}`;
/** The folder of ticket branches. */
export const ticketBranches = 'ticket';

/** A ticket's id, such as `ABC-12`: its folder and, as `ticket/ABC-12`, branch. */
export const TicketId = z
  .string()
  .regex(new RegExp(`^${ticketIdPattern}$`), 'A ticket id looks like ABC-12.');
export type TicketId = z.infer<typeof TicketId>;

/** A ticket's scratch worktree for proofs, or, with `.verify`, for repeating them. */
export const ScratchName = z
  .string()
  .regex(new RegExp(`^${ticketIdPattern}(?:\\.verify)?$`), 'That names no scratch worktree.');
export type ScratchName = z.infer<typeof ScratchName>;

/** The letters before a ticket id's number. */
export const TicketPrefix = z
  .string()
  .regex(
    new RegExp(`^${prefixPattern}$`),
    'A ticket prefix is 2 to 5 capital letters or digits, starting with a letter.',
  );

const beadId = /^[a-z0-9](?:[a-z0-9-]{0,78}[a-z0-9])?$/;

/** A bead's id, safe in a path, a ref and a commit trailer. */
export const BeadId = z
  .string()
  .regex(beadId, 'A bead id is kebab-case: a-z, 0-9 and dashes, 80 characters at most.');
export type BeadId = z.infer<typeof BeadId>;

/** Returns true if `BeadId` accepts a text. */
export function isBeadId(text: string): boolean {
  return beadId.test(text);
}

/** A persona's id: its file's name without `.md`. */
export const PersonaId = z
  .string()
  .regex(
    /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/,
    'A persona is named in kebab-case, with 40 characters at most.',
  );
export type PersonaId = z.infer<typeof PersonaId>;

/** 64 lowercase hex digits. */
export const Sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'A SHA-256 is 64 lowercase hex digits.');
export type Sha256 = z.infer<typeof Sha256>;

/** A git object name (SHA-1 or SHA-256). */
export const CommitSha = z
  .string()
  .regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/, 'A commit is named by its full hash.');
export type CommitSha = z.infer<typeof CommitSha>;

/** A ticket's branch. */
export function ticketBranch(id: TicketId): string {
  return `${ticketBranches}/${id}`;
}

/** Returns true for a branch among those of tickets. */
export function isTicketBranch(branch: string): boolean {
  return branch.startsWith(`${ticketBranches}/`);
}

/** The ticket of a branch; undefined for any other branch. */
export function ticketOfBranch(branch: string): TicketId | undefined {
  return isTicketBranch(branch)
    ? TicketId.safeParse(branch.slice(ticketBranches.length + 1)).data
    : undefined;
}

/** The folder of a ticket's refs, here and on a team's remote. */
export function ticketRefs(ticket: TicketId): string {
  return `refs/beadsmith/${ticket}/`;
}

/** A ref of a ticket by its name, such as `worktree/start` (docs/ARCHITECTURE.md §6). */
export function ticketRef(ticket: TicketId, name: string): string {
  return `${ticketRefs(ticket)}${name}`;
}

/** The ref of what an iteration left (docs/decisions/011-attempt-refs.md). */
export function attemptRef(ticket: TicketId, bead: BeadId, iteration: number): string {
  return ticketRef(ticket, `${bead}/${String(iteration)}`);
}

/** The ref of the bead commits before integration rewrites them. */
export function presquashRef(ticket: TicketId, attempt: number): string {
  return ticketRef(ticket, `presquash/${String(attempt)}`);
}

/** The ref of the commit where a ticket's branch started; it tells our branch from a namesake. */
export function startRef(ticket: TicketId): string {
  return ticketRef(ticket, 'worktree/start');
}

/** The ref of what commands of the ticket changed in its worktree. */
export function commandsRef(ticket: TicketId): string {
  return ticketRef(ticket, 'worktree/commands');
}

/** A branch on a team's remote. A bead may be called `branch`, but no attempt of it is a word. */
export function pushedBranchRef(ticket: TicketId): string {
  return ticketRef(ticket, 'worktree/branch');
}

/** The place of a ticket's refs in a person's clone, which may have a ticket with the same id. */
export function refToRead(ref: string): string {
  return ref.replace(/^refs\/beadsmith\//, 'refs/beadsmith/team/');
}

/** A repository's default prefix: 2 to 5 letters of its folder's name. */
export function prefixOf(folder: string): string {
  const letters = folder
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')
    .replace(/^[0-9]+/, '')
    .slice(0, 5);
  return letters.length >= 2 ? letters : 'TKT';
}

/** A path inside the repository: no `..`, `.git`, leading slash, drive, backslash or control character. */
export const RelativePath = z
  .string()
  .refine(
    isRelativePath,
    'A path must be relative to the repository and stay inside it, with 1,000 characters at most.',
  );

/** Returns true if `RelativePath` accepts a text. */
export function isRelativePath(path: string): boolean {
  return path.length <= longestPath && isSafeRelativePath(path);
}

/** True if a joined text can't leave a folder. */
export function isSafeRelativePath(path: string): boolean {
  return !unsafeStart.test(path) && !unsafePart.test(path) && !unsafeCharacter.test(path);
}

/** A comment thread of a pull request: of a line (`r`), the conversation (`c`) or a review (`v`). */
export const CommentThreadId = z.string().regex(/^[rcv]\d{1,20}$/);

const longestPath = 1_000;
const unsafeStart = /^(?:[/~]|[A-Za-z]:)/;
/** `.`, `..`, `.git` in any case, or nothing, as a part of a path. */
const unsafePart = /(?:^|\/)(?:\.{0,2}|\.git)(?:\/|$)/i;
const unsafeCharacter = /[\p{Cc}\\]/u;
