import * as z from 'zod';
import type { Domain } from '../../domain/workflowTypes.ts';
import type { Run } from '../../engine/run.ts';
import { storedWinner } from './councilDrafts.ts';

/** The member that won a domain's vote and does its later work; read once in a run. */
export function winnerOf(run: Run, domain: Domain): Promise<string> {
  return run.record('winner', z.string(), (io) => storedWinner(io, domain));
}
