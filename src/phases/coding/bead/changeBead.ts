import type * as z from 'zod';
import type { ContextState } from '../../../context/contextState.ts';
import { Bead, BeadExpansion, beadRuntimeFields, BlueprintBead } from '../../../domain/beads/bead.ts';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { RecordIo, Run } from '../../../engine/run/run.ts';
import { isoNow } from '../../shared/ticket/artifacts.ts';
import type { SessionRow } from '../../../engine/ports/storePort.ts';
import type { PartyResult } from '../../shared/party/runParty.ts';
import type { Told } from '../../shared/ticket/records.ts';

/** Stages a change of a bead with its step's receipt and notifies live views. Returns the changed bead. */
export async function changeBead(
  io: RecordIo,
  id: string,
  change: (bead: Bead) => Partial<Bead>,
): Promise<Bead> {
  const beads = await io.ports.store.beads(io.ticket);
  const bead = beads.find((candidate) => candidate.id === id);
  if (!bead) throw new BeadsmithError('UNEXPECTED', { reason: `the plan has no bead ${id}` });
  const set = change(bead);
  io.save({ type: 'bead', id, set });
  const changed = { ...bead, ...set };
  // Live views get the plan as it is once the step's own change commits.
  const plan = beads.map((other) => (other.id === id ? changed : other));
  io.ports.events.emit({
    type: 'bead',
    ticket: io.ticket,
    at: io.ports.clock.now(),
    bead: id,
    iteration: changed.iteration,
    state: changed.status,
    done: plan.filter(({ status }) => status === 'done').length,
    total: plan.length,
  });
  return changed;
}

/** Marks a finalized bead as done and closes its sessions. */
export async function markBeadDone(run: Run, ticket: TicketSnapshot, bead: Bead, key: string): Promise<void> {
  await run.record(key, Bead, async (io) => {
    for (const session of await io.ports.store.sessions(ticket.id)) {
      if (session.bead === bead.id && session.state === 'active')
        io.save({ type: 'session.state', id: session.id, state: 'completed' });
    }
    const now = isoNow(io);
    return changeBead(io, bead.id, () => ({ status: 'done', completedAt: now, updatedAt: now }));
  });
}

/** Returns a predicate that is true for the sessions that worked on the bead's iteration. */
export function ofIteration({ id, iteration }: Bead): (session: SessionRow) => boolean {
  return (session) => session.bead === id && session.iteration === iteration;
}

/** Returns the record of each persona that said nothing of a bead in a phase. */
export function skipRecords(
  phase: string,
  { id, iteration }: Bead,
  missing: PartyResult<unknown>['missing'],
): readonly Told[] {
  return missing.map(({ participant, code, reason }) => {
    return { bead: id, iteration, kind: 'skip', payload: { phase, persona: participant.id, code, reason } };
  });
}

/** A bead as a model adds it to a plan: the blueprint's fields and those of the expansion in one. */
export const NewBead = BlueprintBead.extend(BeadExpansion.omit({ id: true }).shape);
export type NewBead = z.infer<typeof NewBead>;

interface AddedTo {
  readonly priority: number;
  readonly ticket: string;
  readonly blockedBy: string[];
  readonly now: string;
}

/** A bead that joins a plan which is worked on already, before anyone works on it. */
export function addedBead(bead: NewBead, { priority, ticket, blockedBy, now }: AddedTo): Bead {
  return {
    ...bead,
    priority,
    status: 'pending',
    externalRef: ticket,
    dependencies: { blocked_by: blockedBy, blocks: [] },
    notes: '',
    iteration: 1,
    createdAt: now,
    updatedAt: now,
    completedAt: '',
    startedAt: '',
    beadStartCommit: null,
  };
}

/**
 * A bead as the coder sees it: as it was planned, and its notes as a slice of their own, so that they can be
 * cut when a prompt is too long. What changes while it is worked on isn't in the record, so that a provider's
 * cache holds it (docs/decisions/040-prompt-order-and-budget.md).
 */
export function beadPrompt(bead: Bead): Pick<ContextState, 'beadData' | 'beadNotes'> {
  return { beadData: plannedBead(bead), beadNotes: splitNotes(bead.notes) };
}

/** A bead as it was planned: nothing in it tells how often it was tried, or what became of that. */
export function plannedBead(bead: Bead): string {
  const runtime: readonly string[] = beadRuntimeFields;
  const planned = Object.entries(bead).filter(([field]) => !runtime.includes(field));
  return JSON.stringify(Object.fromEntries(planned), null, 2);
}

/** Notes are one append-only text; each begins with a line like `## Iteration 2`. */
export function appendNote(notes: string, heading: string, text: string): string {
  const note = `## ${heading}\n\n${text.replace(/^## /gm, '### ').trim()}\n`;
  return notes.trim() === '' ? note : `${notes.trimEnd()}\n\n${note}`;
}

/** Without the signs of their headings: those of the second level are for the parts of a prompt. */
function splitNotes(notes: string): string[] {
  return notes
    .split(/^## /m)
    .map((note) => note.trim())
    .filter((note) => note !== '');
}

/**
 * The decision to leave out a bead: the reason, who decided it, and the beads in its place if there are any.
 */
interface Skip {
  readonly reason: string;
  readonly by: 'analysis' | 'user';
  readonly replacedBy?: readonly string[];
}

const longestReason = 2_000;

/**
 * Stages that a bead is left out, with a receipt (docs/decisions/138-failure-analysis.md). Its worktree must
 * be reset already. The caller has checked that nothing depends on it.
 */
export async function skipBead(
  io: RecordIo,
  ticket: TicketSnapshot,
  id: string,
  { reason, by, replacedBy = [] }: Skip,
): Promise<Bead> {
  const said = (reason.trim() || 'No reason was given.').slice(0, longestReason);
  const at = isoNow(io);
  const receipt = {
    schema_version: 1,
    bead_id: id,
    skipped_by: by,
    skipped_at: at,
    reason: said,
    replaced_by: [...replacedBy],
  };
  // Filed with coding, which has no attempts, so that it stays when a gate's round is archived.
  const content = `${JSON.stringify(receipt, null, 2)}\n`;
  io.save({ type: 'artifact', artifact: `bead_skip:${id}`, content, status: ticket.status, attempt: 1 });
  return changeBead(io, id, (current) => ({
    status: 'skipped',
    skipped: { reason: said, replacedBy: [...replacedBy] },
    updatedAt: at,
    notes: appendNote(current.notes, 'Skipped', said),
  }));
}
