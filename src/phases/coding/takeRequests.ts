import * as z from 'zod';
import { type ChangeItem, inboxBodies, type InboxEntry } from '../../domain/ticket/inbox.ts';
import type { TicketSnapshot } from '../../domain/ticket/ticket.ts';
import type { RecordIo, Run } from '../../engine/run/run.ts';
import { artifactChange, readJson } from '../shared/ticket/artifacts.ts';
import { ticketParts } from '../shared/ticket/ticketParts.ts';
import { commitSuggestion } from '../shared/commitSuggestion.ts';
import {
  becoming,
  changeOf,
  decideFindings,
  mostChanges,
  openDecisions,
  saveFindings,
} from '../shared/findings.ts';
import { saveRejections } from '../shared/ticket/receipts.ts';
import { amendPlan } from './amendPlan.ts';
import { appendNote, changeBead } from './bead/changeBead.ts';

const Items = z.array(inboxBodies.changes.shape.items.element);

/**
 * Between two beads, when none is being coded: suggested edits become commits; requested changes become notes
 * to beads that aren't done, and fix beads for everything else
 * (docs/decisions/016-changes-after-approval.md). So do findings that a person accepted. What was requested
 * earlier and never became a bead, for example because the model failed, is included.
 */
export async function takeRequests(run: Run, ticket: TicketSnapshot, turn: number): Promise<void> {
  const entries = await run.take(`requests:${turn}`, ['changes', 'suggest_edit', 'finding']);
  for (const entry of entries)
    if (isOf('suggest_edit', entry))
      await run.step(`suggestion:${turn}:${entry.id}`, z.boolean(), (io) =>
        commitSuggestion(io, ticket, entry),
      );
  const asked = entries.flatMap((entry) =>
    isOf('changes', entry) ? inboxBodies.changes.parse(entry.body).items : [],
  );
  const decided = entries.filter((entry) => isOf('finding', entry));
  if (decided.length > 0 || ticketParts(ticket).settings.review !== 'off')
    asked.push(...(await findingChanges(run, ticket, turn, decided)));
  if (turn > 1 && asked.length === 0) return;
  const open = await run.record(`changes:${turn}`, Items, async (io) => {
    saveRejections(io, asked);
    const left = await noteBeads(io, asked);
    if (left.length > 0) io.save(artifactChange(ticket, 'changes_requested', { items: left }));
    return [...(turn === 1 ? await openChanges(io) : []), ...left];
  });
  if (open.length > 0) await amendPlan(run, ticket, open, turn === 1 ? '' : `${turn}:`);
}

function isOf<K extends 'changes' | 'suggest_edit' | 'finding'>(
  kind: K,
  entry: InboxEntry,
): entry is InboxEntry<K> {
  return entry.kind === kind;
}

/**
 * Carries out what people decided about findings. What they want done, and no fix was given, is a requested
 * change.
 */
function findingChanges(
  run: Run,
  ticket: TicketSnapshot,
  turn: number,
  entries: readonly InboxEntry<'finding'>[],
): Promise<ChangeItem[]> {
  return run.record(`findings:${String(turn)}`, Items, async (io) => {
    const document = await decideFindings(io, ticket, entries);
    const open = openDecisions(document).slice(0, mostChanges);
    if (open.length > 0)
      saveFindings(
        io,
        ticket,
        becoming(
          document,
          open.map(({ finding }) => finding.id),
          'change',
        ),
      );
    return open.map(changeOf);
  });
}

/** Appends what concerns beads that aren't done to their notes; returns the rest. */
async function noteBeads(io: RecordIo, items: readonly ChangeItem[]): Promise<readonly ChangeItem[]> {
  const beads = await io.ports.store.beads(io.ticket);
  for (const bead of beads.filter(({ status }) => status !== 'done')) {
    const about = items.filter((item) => item.bead === bead.id);
    if (about.length === 0) continue;
    const heading = `From a reviewer, before iteration ${bead.iteration}`;
    const notes = about.reduce(
      (text, item) => appendNote(text, heading, `${placeOf(item)}${item.text}`),
      bead.notes,
    );
    // `updatedAt` doesn't change: a checkpoint of the bead is trusted only if it names the same time.
    await changeBead(io, bead.id, () => ({ notes }));
  }
  return items.filter((item) => beads.every(({ id, status }) => id !== item.bead || status === 'done'));
}

/** Returns the changes that were requested since a bead was last added to the plan. */
async function openChanges(io: RecordIo): Promise<readonly ChangeItem[]> {
  const { store } = io.ports;
  const amended = Math.max(
    0,
    ...(await store.artifacts(io.ticket, { type: 'bead_amendment:' })).map(({ id }) => id),
  );
  const requests = (await store.artifacts(io.ticket, { type: 'changes_requested' })).filter(
    ({ id }) => id > amended,
  );
  const contents = await Promise.all(requests.map(({ id }) => store.artifactContent(id)));
  return contents.flatMap((content) => readJson(inboxBodies.changes, content)?.items ?? []);
}

function placeOf({ file, line }: ChangeItem): string {
  return file === undefined ? '' : `${file}${line === undefined ? '' : `, line ${line}`}:\n`;
}
