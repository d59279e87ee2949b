import type { CommentReads, DocumentReads, HistoryReads, JournalReads } from '../../engine/ports/storePort.ts';
import type { Database } from './database.ts';
import { readJournal, readMilestones, verifyJournal } from './journal.ts';
import { checkDatabase } from './openDatabase.ts';
import { readPastCall, readPastCalls, readPastRuns, readSummaries } from './readHistory.ts';
import * as reads from './reads.ts';
import { readThreads } from './reviewThreads.ts';
import { readActive, readTicket, readTickets } from './tickets.ts';

type Part = JournalReads & DocumentReads & HistoryReads & CommentReads;
type Read<M extends keyof Part> = (database: Database, ...args: Parameters<Part[M]>) => Awaited<ReturnType<Part[M]>>;

/** Which function answers which read of the port. To add a read is to add it to the port, and here. */
export const storeReads: { readonly [M in keyof Part]: Read<M> } = {
  ticket: readTicket,
  tickets: readTickets,
  active: readActive,
  run: reads.readRun,
  runs: reads.readRuns,
  runCount: reads.countRuns,
  openRun: reads.readOpenRun,
  steps: reads.readSteps,
  inbox: reads.readInbox,
  journal: readJournal,
  verify: verifyJournal,
  check: checkDatabase,

  snapshotParts: reads.readSnapshotParts,
  artifact: reads.readArtifact,
  artifacts: reads.readArtifacts,
  artifactContent: reads.readContent,
  beads: reads.readBeads,

  summaries: readSummaries,
  pastRuns: readPastRuns,
  milestones: readMilestones,
  sessions: reads.readSessions,
  calls: reads.readCalls,
  pastCalls: readPastCalls,
  pastCall: readPastCall,
  usage: reads.readUsage,
  calibration: reads.readCalibration,

  reviewThreads: readThreads,
};
