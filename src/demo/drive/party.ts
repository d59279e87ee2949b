import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Scene, Show } from './show.ts';
import { addedContext, partyScript } from '../party/partyScript.ts';
import { checkParty } from './checkParty.ts';
import { nextTicket } from './nextTicket.ts';

/** The demo with `--party`: everything that is off by default, at work. */
export const party: Show = {
  script: partyScript,
  options: ['--review', 'party', '--kickoff', '--failure-analysis', 'auto', '--retrospective'],
  meanwhile: addContext,
  afterwards: nextTicket,
  check: checkParty,
};

/** Adds context while the second bead is being coded. */
async function addContext({ repository, log, processes, running }: Scene): Promise<void> {
  const over = new AbortController();
  void running.finally(() => over.abort());
  while (!over.signal.aborted && !isBegun(log)) await pause(200);
  if (over.signal.aborted || processes.stopping) return;
  await processes.runAsPerson(['context', 'add', 'STOCK-1', addedContext, '--always', '--repo', repository]);
}

function isBegun(log: string): boolean {
  try {
    return /"task":"coding"[^\n]*"bead":"csv-encoder"/.test(readFileSync(log, 'utf8'));
  } catch {
    return false;
  }
}
