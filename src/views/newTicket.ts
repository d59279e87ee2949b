import { l10n, window } from 'vscode';
import { TicketInput } from '../domain/ticket.ts';
import type { OpenRepository } from './repositories.ts';
import { type Choice, pickOne, writeText } from './quickInput.ts';
import { startTicket, type Depth } from './startTicket.ts';
import { askInSteps } from './steps.ts';

interface Draft {
  readonly title: string;
  readonly description: string;
  readonly next: Depth | 'draft';
}

/** Asks for a ticket, files it and, if wanted, starts it. Answers its id. */
export async function newTicket(repository: OpenRepository): Promise<string | undefined> {
  const title = l10n.t('New ticket in {0}', repository.client.repository.name);
  const start: Draft = { title: '', description: textOfSelection(), next: 'full' };
  const draft = await askInSteps<Draft>(start, [
    async (known, place) => {
      const reply = await writeText({
        ...place,
        title,
        prompt: l10n.t('What should be different afterwards? One line.'),
        placeholder: l10n.t('Add CSV export to the report page'),
        value: known.title,
        check: (text) => problemOf('title', text),
      });
      return reply.kind === 'given' ? { kind: 'given', value: { ...known, title: reply.value.trim() } } : reply;
    },
    async (known, place) => {
      const reply = await writeText({
        ...place,
        title,
        prompt: l10n.t('Describe it, if the title doesn’t say it all. Text selected in an editor is taken over.'),
        placeholder: l10n.t('Why, for whom, what must not change (optional)'),
        value: known.description,
        check: (text) => problemOf('description', text),
      });
      return reply.kind === 'given' ? { kind: 'given', value: { ...known, description: reply.value } } : reply;
    },
    async (known, place) => {
      const reply = await pickOne<Draft['next']>({ ...place, title, placeholder: l10n.t('How should it be planned?'), choices: ways() });
      return reply.kind === 'given' ? { kind: 'given', value: { ...known, next: reply.value } } : reply;
    },
  ]);
  if (!draft) return undefined;
  const { id } = await repository.client.create({ title: draft.title, description: draft.description });
  if (draft.next === 'draft') window.setStatusBarMessage(l10n.t('{0} is filed as a draft.', id), 5_000);
  else await startTicket(repository, id, draft.next);
  return id;
}

function ways(): readonly Choice<Draft['next']>[] {
  return [
    {
      label: `$(organization) ${l10n.t('Start in council')}`,
      detail: l10n.t('Several models draft, vote and refine. Slower and dearer, and sees more.'),
      value: 'full',
    },
    { label: `$(person) ${l10n.t('Start solo')}`, detail: l10n.t('One model plans and codes.'), value: 'solo' },
    { label: `$(circle-large-outline) ${l10n.t('Keep as a draft')}`, detail: l10n.t('Nothing runs until you start it.'), value: 'draft' },
  ];
}

function problemOf(field: 'title' | 'description', text: string): string | undefined {
  const result = TicketInput.shape[field].safeParse(text);
  return result.success ? undefined : l10n.t(result.error.issues[0]?.message ?? '');
}

/** A description often lies in a note already. */
function textOfSelection(): string {
  const editor = window.activeTextEditor;
  if (!editor || editor.selection.isEmpty) return '';
  const text = editor.document.getText(editor.selection);
  return TicketInput.shape.description.safeParse(text).success ? text : '';
}
