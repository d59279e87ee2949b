import type { Check } from '../../protocol/checks.ts';
import type { BackupKeeper } from '../../protocol/upkeep.ts';
import type { PageName } from '../../protocol/pages/pageNames.ts';
import type { Demo, Rehearse } from '../demo/demo.ts';
import type { NoticeKind } from '../notices/attention.ts';
import type { FindingThreads } from '../review/findingThreads.ts';
import type { ReviewComments } from '../review/reviewComments.ts';
import type { ReportFacts } from '../support/reportText.ts';
import type { LogEntry, SupportDocument, SupportName } from '../support/supportDocument.ts';
import type { Board } from '../tickets/board.ts';
import type { TicketList } from '../tickets/tree/ticketList.ts';
import type { OpenRepository, Repositories } from './repositories.ts';

/** The services that views work with, provided by the host. */
export interface Workbench {
  readonly repositories: Repositories;
  readonly board: Board;
  /** The filter and order of the tickets that the view shows. */
  readonly list: TicketList;
  /** The OpenCode that can be put into the user's cache. */
  readonly opencode: {
    readonly version: string;
    readonly folder: string;
    install(signal: AbortSignal): Promise<void>;
  };
  readonly demo: Demo;
  readonly rehearse: Rehearse;
  readonly backups: BackupKeeper;
  /** Opens a page of a ticket, or shows the one that is open. */
  openPage(name: PageName, place: TicketPlace): void;
  /** Returns true if the page of a ticket is the one in front. */
  showsPage(name: PageName, place: TicketPlace): boolean;
  /**
   * Keeps the password of an OpenCode server that the user runs, in the editor's secret storage; `undefined`
   * removes it.
   */
  setServerPassword(password: string | undefined): Promise<void>;
  readonly notices: NoticeSettings;
  /** Threads beside the lines of diffs. */
  readonly review: ReviewComments;
  /** Findings of reviews, beside the lines of diffs. */
  readonly findings: Pick<FindingThreads, 'shownFinding' | 'reveal'>;
  readonly support: Support;
  showLog(): void;
  logError(what: string, error: unknown): void;
}

/** The state of the product itself, and the reports about it. */
export interface Support {
  /**
   * Checks what tickets need on this machine, one thing after the other; in an untrusted workspace it says
   * what isn't checked.
   */
  checkMachine(): AsyncIterable<Check>;
  /** Returns the facts of a report about this installation. */
  facts(): ReportFacts;
  /** The newest lines of the log, oldest first, without secrets. */
  log(): readonly LogEntry[];
  /**
   * Returns a function that removes everything that is private on this machine: secrets, paths, the person's
   * name.
   */
  redactor(): Promise<(text: string) => string>;
  /** Shows a document of this name, in place of the one before. */
  show(name: SupportName, document: SupportDocument): Promise<void>;
  /** Shows again what was shown under this name. */
  reveal(name: SupportName): Promise<void>;
  /** Returns the text that was shown under this name; undefined when none was. */
  shown(name: SupportName): string | undefined;
  /** The prompts that the person may override, and their own files. */
  readonly prompts: OwnPrompts;
  /** The address for reporting problems; undefined when this build has none. */
  readonly issues: string | undefined;
}

/** The prompts, and the folder of a person's own (docs/decisions/100-own-prompts.md). */
export interface OwnPrompts {
  list(): Promise<
    readonly { name: string; about: string; state: 'built-in' | 'own' | 'refused'; problem: string }[]
  >;
  /** Copies a built-in prompt into the folder unless it is there. Answers the path. */
  override(name: string): Promise<string>;
}

/** The notifications that a person wants. */
export interface NoticeSettings {
  wants(kind: NoticeKind): boolean;
  mute(kind: NoticeKind): Promise<void>;
}

/** A ticket of a repository that is open. */
export interface TicketPlace {
  readonly repository: OpenRepository;
  readonly ticket: string;
}
