import { QaChecklist, QaChecklistDraft } from '../../domain/qa.ts';
import { timeoutMs } from '../../domain/settings.ts';
import type { HandlerDefinition } from '../../engine/run.ts';
import { ask } from '../ask.ts';
import { parseStructured } from '../structured/parseStructured.ts';
import { takeUserContext } from '../takeUserContext.ts';
import { artifactChange } from '../execution/artifactChange.ts';
import { newestArtifact } from '../execution/newestArtifact.ts';
import { readJson } from '../execution/readJson.ts';
import { ticketParts } from '../execution/ticketParts.ts';

/** Writes the list of what a person tries out by hand (LoopTroop 11.2). Every round has its own ids: `qa-v2-001`. */
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
        const former = readJson(QaChecklist, (await newestArtifact(io, 'manual_qa_checklist'))?.content);
        const round = (former?.round ?? 0) + 1;
        const numbered = items.map((item, index) => ({ ...item, id: `qa-v${round}-${String(index + 1).padStart(3, '0')}` }));
        io.save(artifactChange(ticket, 'manual_qa_checklist', QaChecklist.parse({ schema_version: 1, round, items: numbered })));
      },
    });
    return { exit: 'ready' };
  },
};
