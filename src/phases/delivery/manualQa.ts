import * as z from 'zod';
import {
  QaChecklist,
  QaChecklistDraft,
  type QaResults,
  qaChecklistDocument,
} from '../../domain/documents/qaChecklist.ts';
import { BeadId } from '../../domain/core/ids.ts';
import { inboxBodies, type InboxBody, type InboxEntry } from '../../domain/ticket/inbox.ts';
import { timeoutMs } from '../../domain/settings/settings.ts';
import type { TicketSnapshot } from '../../domain/ticket/ticket.ts';
import type { HandlerDefinition, RecordIo, StepIo } from '../../engine/run/run.ts';
import { artifactChange, newestJson, storedJson } from '../shared/ticket/artifacts.ts';
import { ask } from '../shared/ask/ask.ts';
import { takeUserContext, ticketParts } from '../shared/ticket/ticketParts.ts';
import { refuseEntry, saveSkipReceipt } from '../shared/ticket/receipts.ts';
import { parseStructured } from '../shared/structured/parseStructured.ts';
import { goBackFor, goBackWith, saveRequest } from './review.ts';

/** Writes the list of what a person tries by hand (docs/decisions/041-manual-qa.md). */
export const qaChecklist: HandlerDefinition<'ready'> = {
  version: 1,
  run: async (run, ticket) => {
    const sections = await takeUserContext(run, ticket);
    await ask(run, ticket, {
      key: 'checklist',
      contextKey: 'qa_checklist',
      prompt: 'qa-checklist',
      sections,
      member: ticketParts(ticket).settings.mainImplementer,
      parse: parseStructured({ tag: 'MANUAL_QA_CHECKLIST', schema: QaChecklistDraft }),
      result: QaChecklistDraft,
      activeMs: timeoutMs(run.limits.councilResponseTimeout),
      accept: async (io, { items }) => {
        const former = await newestJson(io, qaChecklistDocument.kind, QaChecklist);
        const round = (former?.round ?? 0) + 1;
        const numbered = items.map((item, index) => {
          return { ...item, id: `qa-v${round}-${String(index + 1).padStart(3, '0')}` };
        });
        const checklist = QaChecklist.parse({ schema_version: 1, round, items: numbered });
        io.save(artifactChange(ticket, qaChecklistDocument.kind, checklist));
      },
    });
    return { exit: 'ready' };
  },
};

type Decision = InboxEntry<'qa' | 'skip' | 'changes' | 'suggest_edit' | 'finding'>;
const Outcome = z.enum(['passed', 'changes', 'stay']);
type Outcome = z.infer<typeof Outcome>;

const longestText = 20_000;

/** The gate of manual QA (docs/decisions/041-manual-qa.md): what failed goes back to coding. */
export const manualQa: HandlerDefinition<'passed' | 'changes'> = {
  version: 1,
  run: async (run, ticket) => {
    for (let turn = 1; ; turn += 1) {
      const entry = await run.wait(`decision:${turn}`, ['qa', 'skip', 'changes', 'suggest_edit', 'finding']);
      if (entry === 'expired') continue;
      const outcome = await run.step(`outcome:${turn}`, Outcome, async (io) => decide(io, ticket, entry));
      if (outcome !== 'stay') return { exit: outcome };
    }
  },
};

function decide(io: StepIo, ticket: TicketSnapshot, entry: Decision): Promise<Outcome> | Outcome {
  switch (entry.kind) {
    case 'qa':
      return judge(io, ticket, entry);
    case 'skip':
      return skip(io, ticket, entry);
    case 'changes':
      saveRequest(io, ticket, entry);
      return 'changes';
    case 'suggest_edit':
      return goBackWith(io, ticket, entry);
    case 'finding':
      return goBackFor(io, ticket, entry);
  }
}

async function judge(io: RecordIo, ticket: TicketSnapshot, entry: Decision): Promise<Outcome> {
  const body = inboxBodies.qa.parse(entry.body);
  const checklist = await storedJson(io, qaChecklistDocument.kind, QaChecklist);
  if (!checklist) return refuse(io, entry, 'there is no checklist');
  const unknown = Object.keys(body.results).filter((id) => !checklist.items.some((item) => item.id === id));
  if (unknown.length > 0)
    return refuse(io, entry, `these items are not on the checklist: ${unknown.join(', ')}`);
  const open = checklist.items
    .filter(({ id, severity }) => severity === 'required' && !body.results[id])
    .map(({ id }) => id);
  const failures = failuresOf(checklist, body);
  // If something failed, the rest is tried in the next round.
  if (failures.length === 0 && open.length > 0)
    return refuse(io, entry, `these required items have no result: ${open.join(', ')}`);
  const results = { schema_version: 1, round: checklist.round, ...body };
  io.save(artifactChange(ticket, 'manual_qa_results', results));
  const waived = Object.entries(body.results).filter(([, { result }]) => result === 'waive');
  if (waived.length > 0) {
    const said = waived.map(([, { observation }]) => observation).filter((text) => text !== '');
    const item_ids = waived.map(([id]) => id);
    const reason = said.join('\n').slice(0, longestText);
    saveSkipReceipt(io, ticket, { surface: 'manual_qa_item', item_ids, reason });
  }
  if (failures.length === 0) return 'passed';
  const requested = inboxBodies.changes.parse({ items: failures.slice(0, 50) });
  io.save(artifactChange(ticket, 'changes_requested', requested));
  return 'changes';
}

function failuresOf(checklist: QaChecklist, { results }: QaResults): InboxBody<'changes'>['items'] {
  return checklist.items.flatMap((item) => {
    const result = results[item.id];
    if (result?.result !== 'fail') return [];
    const bead = BeadId.safeParse(item.beadRefs[0]);
    const said = `${item.title}: expected "${item.expectedResult}", but: ${result.observation}`;
    const text = said.slice(0, longestText);
    return [{ text, ...(bead.success ? { bead: bead.data } : {}) }];
  });
}

async function skip(io: RecordIo, ticket: TicketSnapshot, entry: Decision): Promise<Outcome> {
  const { ids, reason } = inboxBodies.skip.parse(entry.body);
  if (ids)
    return refuse(io, entry, 'single items are waived in the results; a skip concerns the whole checklist');
  const checklist = await storedJson(io, qaChecklistDocument.kind, QaChecklist);
  const item_ids = checklist?.items.map(({ id }) => id) ?? [];
  saveSkipReceipt(io, ticket, { surface: 'manual_qa', item_ids, reason });
  return 'passed';
}

function refuse(io: RecordIo, entry: Decision, reason: string): Outcome {
  refuseEntry(io, entry, 'INVALID_INPUT', { what: 'This QA result', reason });
  return 'stay';
}
