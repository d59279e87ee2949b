import * as z from 'zod';
import { type ChangeItem, inboxBodies, type InboxEntry } from '../../domain/ticket/inbox.ts';
import type { TicketSnapshot } from '../../domain/ticket/ticket.ts';
import type { RecordIo, Run } from '../../engine/run/run.ts';
import { artifactChange, readJson, isoNow } from '../shared/ticket/artifacts.ts';
import { ticketParts } from '../shared/ticket/ticketParts.ts';
import { commitSuggestion } from '../shared/commitSuggestion.ts';
import { findingChanges } from '../shared/findings.ts';
import { saveRejections } from '../shared/ticket/receipts.ts';
import { addedBead, appendNote, changeBead } from './bead/changeBead.ts';
import { canonicalJson } from '../../base/json.ts';
import { sha256 } from '../../base/sha256.ts';
import { type Bead, NewBead } from '../../domain/beads/bead.ts';
import { graphErrors, planHash, withInverseEdges } from '../../domain/beads/beadPlan.ts';
import { listed, refsProblem } from '../../domain/requirements/criteria.ts';
import { timeoutMs } from '../../domain/settings/settings.ts';
import { ask } from '../shared/ask/ask.ts';
import { linkedPrd } from '../shared/ticket/linkedPrd.ts';
import { parseStructured } from '../shared/structured/parseStructured.ts';

/** Reviewers may have asked more than once before the plan was amended. */
const Items = z.array(inboxBodies.changes.shape.items.element);

/**
 * Between two beads: suggested edits become commits, requested changes and accepted findings become notes to
 * unfinished beads or fix beads (docs/decisions/016-changes-after-approval.md). Earlier requests that never
 * became a bead are included.
 */
export async function takeRequests(run: Run, ticket: TicketSnapshot, turn: number): Promise<void> {
  const entries = await run.take(`requests:${turn}`, ['changes', 'suggest_edit', 'finding']);
  for (const entry of entries) {
    if (!isOf('suggest_edit', entry)) continue;
    const key = `suggestion:${turn}:${entry.id}`;
    await run.step(key, z.boolean(), (io) => commitSuggestion(io, ticket, entry));
  }
  const asked = entries.flatMap((entry) =>
    isOf('changes', entry) ? inboxBodies.changes.parse(entry.body).items : [],
  );
  const decided = entries.filter((entry) => isOf('finding', entry));
  if (decided.length > 0 || ticketParts(ticket).settings.review !== 'off')
    asked.push(...(await run.record(`findings:${turn}`, Items, (io) => findingChanges(io, ticket, decided))));
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

/** Appends what concerns unfinished beads to their notes; returns the rest. */
async function noteBeads(io: RecordIo, items: readonly ChangeItem[]): Promise<readonly ChangeItem[]> {
  const beads = await io.ports.store.beads(io.ticket);
  for (const bead of beads.filter(({ status }) => status !== 'done')) {
    const about = items.filter((item) => item.bead === bead.id);
    if (about.length === 0) continue;
    const heading = `From a reviewer, before iteration ${bead.iteration}`;
    const add = (text: string, item: ChangeItem) => appendNote(text, heading, `${placeOf(item)}${item.text}`);
    const notes = about.reduce(add, bead.notes);
    // `updatedAt` stays: a checkpoint of the bead is trusted only if it names the same time.
    await changeBead(io, bead.id, () => ({ notes }));
  }
  return items.filter((item) => beads.every(({ id, status }) => id !== item.bead || status === 'done'));
}

async function openChanges(io: RecordIo): Promise<readonly ChangeItem[]> {
  const { store } = io.ports;
  const amendments = await store.artifacts(io.ticket, { type: 'bead_amendment:' });
  const last = Math.max(0, ...amendments.map(({ id }) => id));
  const requests = (await store.artifacts(io.ticket, { type: 'changes_requested' })).filter(
    ({ id }) => id > last,
  );
  const contents = await Promise.all(requests.map(({ id }) => store.artifactContent(id)));
  return contents.flatMap((content) => readJson(inboxBodies.changes, content)?.items ?? []);
}

function placeOf({ file, line }: ChangeItem): string {
  return file === undefined ? '' : `${file}${line === undefined ? '' : `, line ${line}`}:\n`;
}

const FixBead = NewBead.extend({ issueType: z.string().default('qa-fix') });
type FixBead = z.infer<typeof FixBead>;
const FixBeads = z.object({ beads: z.array(FixBead).min(1).max(50) });

/** Turns requested changes into fix beads at the end of the plan. `prefix` keeps step keys apart. */
export async function amendPlan(
  run: Run,
  ticket: TicketSnapshot,
  items: readonly ChangeItem[],
  prefix: string,
): Promise<void> {
  const { settings } = ticketParts(ticket);
  const taken = await run.record(`${prefix}taken`, z.array(z.string()), async (io) =>
    (await io.ports.store.beads(ticket.id)).map(({ id }) => id),
  );
  const { value } = await ask(run, ticket, {
    key: `${prefix}fix-beads`,
    contextKey: 'qa_fix',
    prompt: 'qa-fix',
    member: settings.mainImplementer,
    sections: [{ name: 'observations', content: items.map(describe).join('\n\n') }],
    parse: {
      inStep: async (io) => {
        const prd = await linkedPrd(io);
        const check = ({ beads }: z.infer<typeof FixBeads>): string | undefined =>
          problemOf(beads, taken) ?? (prd && refsProblem(beads, prd));
        return parseStructured({ schema: FixBeads, check });
      },
    },
    result: FixBeads,
    activeMs: timeoutMs(run.limits.councilResponseTimeout),
  });
  await run.record(`${prefix}amend`, z.array(z.string()), async (io) => {
    const before = await io.ports.store.beads(ticket.id);
    const now = isoNow(io);
    const lowest = Math.max(0, ...before.map((bead) => bead.priority));
    const added = value.beads.map((bead, index) => asBead(bead, ticket.id, lowest + 1 + index, now));
    const after = withInverseEdges([...before, ...added]);
    io.save({ type: 'beads', beads: after });
    const hashes = { plan_sha256_before: planHash(before), plan_sha256_after: planHash(after) };
    for (const bead of added) {
      // See docs/decisions/016-changes-after-approval.md.
      const receipt = {
        schema_version: 1,
        bead_id: bead.id,
        bead_sha256: sha256(canonicalJson(bead)),
        ...hashes,
        requested: items,
        amended_at: now,
      };
      io.save(artifactChange(ticket, `bead_amendment:${bead.id}`, receipt));
    }
    return added.map(({ id }) => id);
  });
}

function describe(item: ChangeItem, index: number): string {
  const place =
    item.file === undefined ? '' : ` (${item.file}${item.line === undefined ? '' : `, line ${item.line}`})`;
  const bead = item.bead === undefined ? '' : `, about bead ${item.bead}`;
  return `Finding ${index + 1}${place}${bead}:\n${item.text}`;
}

function problemOf(beads: readonly FixBead[], taken: readonly string[]): string | undefined {
  const used = beads.map(({ id }) => id).filter((id) => taken.includes(id));
  if (used.length > 0) return `These ids are in use already: ${used.join(', ')}. Choose new ones.`;
  const untested = beads.filter(({ testCommands }) => testCommands.length === 0).map(({ id }) => id);
  if (untested.length > 0) return `These beads have no testCommands: ${untested.join(', ')}.`;
  const known = new Set([...taken, ...beads.map(({ id }) => id)]);
  const unknown = beads.flatMap(({ dependencies }) => dependencies.blocked_by).filter((id) => !known.has(id));
  if (unknown.length > 0)
    return `blocked_by names beads that don't exist: ${[...new Set(unknown)].join(', ')}. The beads are ${listed([...known])}.`;
  const plan = beads.map((bead) => asBead({ ...bead, dependencies: ownEdges(bead, taken) }, '', 0, ''));
  return graphErrors(withInverseEdges(plan))[0];
}

/** Existing beads can't be blocked by new ones, so only edges among the new ones can go wrong. */
function ownEdges(bead: FixBead, taken: readonly string[]): FixBead['dependencies'] {
  return { blocked_by: bead.dependencies.blocked_by.filter((id) => !taken.includes(id)) };
}

function asBead(bead: FixBead, ticket: string, priority: number, now: string): Bead {
  const blockedBy = bead.dependencies.blocked_by;
  return addedBead({ ...bead, issueType: 'qa-fix' }, { priority, ticket, blockedBy, now });
}
