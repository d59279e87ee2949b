import { commands as editor, l10n } from 'vscode';
import * as z from 'zod';
import { rowOf } from '../../domain/workflow/workflow.ts';
import type { ApprovalArtifact } from '../../protocol/pages/approval.ts';
import type { PageRequests } from '../../protocol/pages/frame.ts';
import type { ticketPage } from '../../protocol/pages/ticket.ts';
import { documentOf } from '../../domain/documents/documents.ts';
import { BeadsmithError } from '../../domain/core/errors.ts';
import type { InboxBody } from '../../domain/ticket/inbox.ts';
import { documentTitle } from '../documents/documentTypes.ts';
import { documentUri } from '../documents/documentUri.ts';
import { openDocument } from '../documents/openDocument.ts';
import { editable, saveDocument } from '../documents/saveDocument.ts';
import { patienceMs } from '../../protocol/inbox/settled.ts';
import type { TicketPlace } from '../shared/workbench.ts';
import { approvalState } from './approvalState.ts';
import { readInterview } from './interviewState.ts';
import { isConfirmed } from '../shared/quickInput.ts';

type Requests = Pick<
  PageRequests<typeof ticketPage>,
  'interview' | 'documents' | 'save' | 'showDocument' | 'compareDocument'
>;

/** The requests of the plan's questions and documents. */
export function planRequests(place: TicketPlace): Requests {
  const { repository, ticket } = place;
  const { client, root } = repository;
  return {
    interview: () => readInterview(client, ticket),
    documents: () => approvalState(client, ticket),
    save: ({ artifact, baseSha256, value }) => save(place, artifact, baseSha256, value),
    showDocument: async ({ artifact }) => {
      await openDocument(place, artifact);
      return {};
    },
    compareDocument: async ({ artifact, version }) => {
      const [before, now] = [
        documentUri(root, ticket, artifact, version),
        documentUri(root, ticket, artifact),
      ];
      const title = l10n.t(
        '{0} {1}: version {2} ↔ current version',
        ticket,
        documentTitle(artifact),
        version,
      );
      await editor.executeCommand('vscode.diff', before, now, title);
      return {};
    },
  };
}

/** An edit of what was approved throws away what was built on it, so it is asked about. */
async function save(
  { repository, ticket }: TicketPlace,
  artifact: ApprovalArtifact,
  base: string,
  value: unknown,
): Promise<{ readonly state: 'consumed' | 'pending' | 'left' }> {
  const { client } = repository;
  const edit = await editedText(artifact, value);
  const way = editable(await client.ticket(ticket), artifact, client.repository.mode);
  if (way.kind === 'rewind') {
    const detail = l10n.t(
      'The ticket returns to “{0}”. Everything based on the approved document is created again.',
      l10n.t(rowOf(way.to).label),
    );
    const question = l10n.t('{0} is approved. Save the change and rewind?', documentTitle(artifact));
    if (!(await isConfirmed(question, detail, l10n.t('Save and Start Over')))) return { state: 'left' };
  }
  const outcome = await saveDocument(client, ticket, { artifact, base, ...edit }, patienceMs);
  return { state: outcome === 'saved' ? 'consumed' : 'pending' };
}

type Edit = Pick<InboxBody<'edit'>, 'content' | 'surface'>;

const Fields = z.record(z.string(), z.unknown());

/**
 * Of an interview only the changed answers, because only the engine knows when they were given. Throws
 * INVALID_INPUT for another shape; the engine checks the rest.
 */
export async function editedText(artifact: ApprovalArtifact, value: unknown): Promise<Edit> {
  const { format, approval } = documentOf(artifact);
  const shape = approval?.answers ?? (format === 'jsonl' ? z.array(Fields) : Fields);
  const parsed = shape.safeParse(value);
  if (!parsed.success)
    throw new BeadsmithError('INVALID_INPUT', {
      what: 'What was edited',
      reason: z.prettifyError(parsed.error),
    });
  if (approval?.answers) return { content: JSON.stringify(parsed.data), surface: 'answers' };
  const { writeText } = await import('../../domain/documents/base/text.ts');
  return { content: writeText(format, parsed.data), surface: 'structured' };
}
