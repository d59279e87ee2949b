import type { Board } from './board.ts';
import type { NoticeKind } from './calls.ts';
import type { PageContract } from '../protocol/pages/frame.ts';
import type { OpenRepository, Repositories } from './repositories.ts';
import type { ReviewComments } from './review/reviewComments.ts';
import type { TicketList } from './tree/ticketList.ts';

/** What views work with, handed in by the host. */
export interface Workbench {
  readonly repositories: Repositories;
  readonly board: Board;
  /** Which tickets the view shows. */
  readonly list: TicketList;
  /** The OpenCode that can be put into the user's cache. */
  readonly opencode: { readonly version: string; readonly folder: string; install(signal: AbortSignal): Promise<void> };
  /** Opens a page of a ticket, or shows the one that is open. */
  openPage(name: PageContract['name'], place: TicketPlace): void;
  /** Keeps the password of an OpenCode server that the user runs, in the editor's secret storage; `undefined` removes it. */
  setServerPassword(password: string | undefined): Promise<void>;
  readonly notices: NoticeSettings;
  /** Threads beside the lines of diffs. */
  readonly review: ReviewComments;
  showLog(): void;
  logError(what: string, error: unknown): void;
}

/** Which notices a person wants. */
export interface NoticeSettings {
  wants(kind: NoticeKind): boolean;
  mute(kind: NoticeKind): Promise<void>;
}

/** A ticket of a repository that is open. */
export interface TicketPlace {
  readonly repository: OpenRepository;
  readonly ticket: string;
}
