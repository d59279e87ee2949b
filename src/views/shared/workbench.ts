import type { TeamDevice } from '../../domain/team/keys.ts';
import type { Check } from '../../protocol/checks.ts';
import type { BackupKeeper } from '../../protocol/upkeep.ts';
import type { PagePart } from '../../protocol/pages/ticket.ts';
import type { Demo, Rehearse } from '../demo/demo.ts';
import type { NotificationKind } from '../../protocol/attention.ts';
import type { ForgeComments } from '../review/forgeComments.ts';
import type { FindingThreads } from '../review/findingThreads.ts';
import type { ReviewComments } from '../review/reviewComments.ts';
import type { ViewedFiles } from '../review/viewedFiles.ts';
import type { ReportFacts } from '../support/reportText.ts';
import type { LogEntry, SupportName } from '../support/supportDocument.ts';
import type { Board } from '../tickets/board.ts';
import type { TicketList } from '../tickets/tree/ticketList.ts';
import type { OpenRepository, Repositories } from './repositories.ts';

export interface Workbench {
  readonly repositories: Repositories;
  readonly board: Board;
  readonly list: TicketList;
  readonly viewed: ViewedFiles;
  readonly drafts: DraftDocuments;
  readonly imports: TicketImports;
  readonly opencode: {
    readonly version: string;
    readonly folder: string;
    install(signal: AbortSignal): Promise<void>;
  };
  readonly demo: Demo;
  readonly rehearse: Rehearse;
  readonly backups: BackupKeeper;
  /** The page of the ticket. `part`: what is to be seen of it; default: what matters now. */
  openPage(place: TicketPlace, part?: PagePart): void;
  showsPage(place: TicketPlace): boolean;
  /** In the editor's secret storage; `undefined` removes it. */
  setServerPassword(password: string | undefined): Promise<void>;
  readonly team: {
    /** In the editor's secret storage; empty where the server asks for none. */
    setPassword(password: string): Promise<void>;
    /** Registers this installation. Throws TEAM_LOGIN, PAIRING_INVALID, DEVICE_REVOKED. */
    join(code: string): Promise<Pick<TeamDevice, 'person' | 'role'>>;
  };
  readonly notifications: NotificationSettings;
  readonly review: ReviewComments;
  readonly findings: Pick<FindingThreads, 'shownFinding' | 'reveal'>;
  readonly forgeComments: Pick<ForgeComments, 'shownThread' | 'threadOf'>;
  readonly support: Support;
  /** Shows its page; resolves when everything is checked. */
  checkSetup(): Promise<void>;
  showLog(): void;
  logError(what: string, error: unknown): void;
}

export interface Support {
  /** In an untrusted workspace it says what isn't checked. */
  checkMachine(): AsyncIterable<Check>;
  facts(): ReportFacts;
  log(): readonly LogEntry[];
  /** Removes secrets, paths, the person's name. */
  redactor(): Promise<(text: string) => string>;
  show(name: SupportName, text: string): Promise<void>;
  shown(name: SupportName): string | undefined;
  readonly prompts: OwnPrompts;
  /** Undefined when this build has none. */
  readonly issues: string | undefined;
}

/** See docs/decisions/100-own-prompts.md. */
export interface OwnPrompts {
  list(): Promise<
    readonly { name: string; about: string; state: 'built-in' | 'own' | 'refused'; problem: string }[]
  >;
  /** Copies a built-in prompt into the folder unless it is there. Answers the path. */
  override(name: string): Promise<string>;
}

export interface NotificationSettings {
  wants(kind: NotificationKind): boolean;
  mute(kind: NotificationKind): Promise<void>;
}

/** Documents of new tickets and drafts. `argument`: the address of an open one, else it is the active one. */
export interface DraftDocuments {
  open(
    repository: OpenRepository,
    seed?: { readonly title: string; readonly description: string },
  ): Promise<void>;
  openTicket(repository: OpenRepository, ticket: string): Promise<void>;
  /** Opens the page of the ticket in place of its text. */
  start(argument: unknown): Promise<void>;
  save(argument: unknown): Promise<void>;
  chooseDepth(argument: unknown): Promise<void>;
  chooseBase(argument: unknown): Promise<void>;
  chooseModels(argument: unknown): Promise<void>;
}

/** Tickets of files. */
export interface TicketImports {
  /** Asks for a source, and shows what becomes of it in a document. Nothing is stored. */
  preview(repository: OpenRepository): Promise<void>;
  /** Stores what the preview shows. */
  importShown(): Promise<void>;
}

export interface TicketPlace {
  readonly repository: OpenRepository;
  readonly ticket: string;
}
