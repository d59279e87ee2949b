import { keptOverAttempts } from '../domain/ticket/artifacts.ts';
import { Interview, interviewDocument } from '../domain/requirements/interview.ts';
import type { InboxBody } from '../domain/ticket/inbox.ts';
import { inFull } from '../domain/settings/settings.ts';
import type { Ticket } from '../domain/ticket/ticket.ts';
import type { Status } from '../domain/workflow/workflow.ts';
import type { ActionChanges } from '../engine/drive/control.ts';
import type { Ports } from '../engine/ports/ports.ts';
import type { Change } from '../engine/ports/storePort.ts';
import { storedDocument } from './shared/ticket/artifacts.ts';

/**
 * The statuses in which a ticket is planned quickly: what it made there is archived when it is planned in
 * full.
 */
const quickStatuses: readonly Status[] = ['PLANNING_QUICK', 'WAITING_QUICK_ANSWERS', 'WAITING_PLAN_APPROVAL'];

/** The changes of each move that changes something. Leave one out and it doesn't compile. */
export const moveBuilders: ActionChanges['moves'] = { plan_in_full: planInFull };

/**
 * A quick ticket gets its council, and keeps what was said: the scan, the answers, and the person's note go
 * to every later call.
 */
async function planInFull(
  { store }: Pick<Ports, 'store'>,
  ticket: Ticket,
  { note }: InboxBody<'plan_in_full'>,
): Promise<readonly Change[]> {
  const said = [
    (await store.artifact(ticket.id, 'user_context'))?.content,
    await answersOf(store, ticket.id),
    note.trim(),
  ];
  const context = said.filter((text) => text !== undefined && text !== '').join('\n\n');
  return [
    ...(ticket.settings ? [{ type: 'ticket', set: { settings: inFull(ticket.settings) } } as const] : []),
    { type: 'artifacts.archive', statuses: quickStatuses, keep: keptOverAttempts },
    { type: 'beads', beads: [] },
    ...(context === ''
      ? []
      : [
          {
            type: 'artifact',
            artifact: 'user_context',
            content: context,
            status: 'SCANNING_RELEVANT_FILES',
            attempt: 1,
          } as const,
        ]),
  ];
}

/** Returns a person's answers before the switch, as the later interview reads them. */
async function answersOf(store: Ports['store'], ticket: string): Promise<string> {
  if (!(await store.artifact(ticket, interviewDocument.kind))) return '';
  const { questions } = (
    await storedDocument({ ticket, ports: { store } }, interviewDocument.kind, Interview)
  ).document;
  const answered = questions.filter(({ answer }) => !answer.skipped);
  const lines = answered.map(({ prompt, options, answer }) => {
    const chosen = answer.selected_option_ids.map(
      (id) => options.find((option) => option.id === id)?.label ?? id,
    );
    return `- ${prompt} ${[...chosen, answer.free_text].filter((text) => text !== '').join('; ')}`;
  });
  return lines.length === 0 ? '' : ['Asked and answered before the interview:', ...lines].join('\n');
}
