import { commands as editor, l10n, window } from 'vscode';
import { rowOf } from '../../domain/workflow/workflow.ts';
import {
  type ApprovalArtifact,
  approvalPage as contract,
  type ApprovalPage,
} from '../../protocol/pages/approval.ts';
import { documentTitle } from '../documents/documentTitles.ts';
import { documentUri } from '../documents/documentUri.ts';
import { openDocument } from '../documents/openDocument.ts';
import { editable, saveDocument } from '../documents/saveDocument.ts';
import { patienceMs } from '../shared/sendAction.ts';
import type { TicketPlace } from '../shared/workbench.ts';
import { approvalState } from './approvalState.ts';
import { editedText } from './approvalText.ts';
import { actFromPage, runFromPage } from './pageActions.ts';
import type { PageKind } from './pageKind.ts';

/** Returns the name of what the page asks about, for its title. */
function askedAbout(gate: ApprovalArtifact, together: readonly ApprovalArtifact[]): string {
  return together.length > 1 ? l10n.t('Plan') : documentTitle(gate);
}

/** The page on which interview, PRD, beads and setup plan are reviewed, edited and approved. */
export const approvalPage: PageKind<ApprovalPage> = {
  contract,
  title: (ticket, state) =>
    state?.gate
      ? l10n.t('{0}: Approve {1}', ticket, askedAbout(state.gate, state.together))
      : l10n.t('{0}: Documents', ticket),
  build: async ({ repository: { client }, ticket }) => {
    const state = await approvalState(client, ticket);
    return { ...state, ticket: { ...state.ticket, label: l10n.t(state.ticket.label) } };
  },
  requests: (place, workbench) => ({
    save: ({ artifact, baseSha256, value }) => save(place, artifact, baseSha256, value),
    act: (filed) => actFromPage(place, filed),
    run: (named) => runFromPage(place, workbench, named),
    showDocument: async ({ artifact }) => {
      await openDocument(place, artifact);
      return null;
    },
    showDiff: async ({ artifact, version }) => {
      const { root } = place.repository;
      const [before, now] = [
        documentUri(root, place.ticket, artifact, version),
        documentUri(root, place.ticket, artifact),
      ];
      const title = l10n.t(
        '{0} {1}: version {2} ↔ current version',
        place.ticket,
        documentTitle(artifact),
        version,
      );
      await editor.executeCommand('vscode.diff', before, now, title);
      return null;
    },
  }),
};

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
    const goOn = l10n.t('Save and Start Over');
    const detail = l10n.t(
      'The ticket returns to “{0}”. Everything based on the approved document is created again.',
      l10n.t(rowOf(way.to).label),
    );
    const question = l10n.t('{0} is approved. Save the change and rewind?', documentTitle(artifact));
    if ((await window.showWarningMessage(question, { modal: true, detail }, goOn)) !== goOn)
      return { state: 'left' };
  }
  const outcome = await saveDocument(client, ticket, { artifact, base, ...edit }, patienceMs);
  return { state: outcome === 'saved' ? 'consumed' : 'pending' };
}
