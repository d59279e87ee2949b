import { l10n, window } from 'vscode';
import { joined } from '../../base/joined.ts';
import { TicketInput } from '../../domain/ticket/ticket.ts';
import type { OpenRepository } from '../shared/repositories.ts';
import { askInSteps, changed, type Choice, pickOne, writeText } from '../shared/quickInput.ts';
import { type Depth, startTicket } from './startTicket.ts';
import type { TicketSeed } from './seedFromEditor.ts';

interface Draft {
  readonly title: string;
  readonly description: string;
  readonly next: Depth | 'draft';
}

/** Answers the ticket's id. */
export async function newTicket(
  repository: OpenRepository,
  seed: TicketSeed = { title: '', description: '' },
): Promise<string | undefined> {
  // OpenCode takes seconds to start; an error is said when the models are chosen.
  void repository.models().catch(() => undefined);
  const title = l10n.t('New ticket in {0}', repository.client.repository.name);
  const start: Draft = { title: seed.title, description: '', next: 'full' };
  const draft = await askInSteps<Draft>(start, [
    async (known, place) => {
      const reply = await writeText({
        ...place,
        title,
        prompt: l10n.t('What should this ticket change? (one line)'),
        placeholder: l10n.t('Add CSV export to the report page'),
        value: known.title,
        check: (text) => problemOf('title', text),
      });
      return changed(reply, (value) => ({ ...known, title: value.trim() }));
    },
    async (known, place) => {
      const reply = await writeText({
        ...place,
        title,
        prompt:
          seed.description === ''
            ? l10n.t('Add details that the title doesn’t cover.')
            : l10n.t('Add details that the title doesn’t cover. The code location is added below.'),
        placeholder: l10n.t('Purpose, users, and what must not change (optional)'),
        value: known.description,
        check: (text) => problemOf('description', described(text, seed)),
      });
      return changed(reply, (value) => ({ ...known, description: value }));
    },
    async (known, place) => {
      const reply = await pickOne<Draft['next']>({
        ...place,
        title,
        placeholder: l10n.t('How do you want to plan this ticket?'),
        choices: ways(),
      });
      return changed(reply, (value) => ({ ...known, next: value }));
    },
  ]);
  if (!draft) return undefined;
  const { id } = await repository.client.create({
    title: draft.title,
    description: described(draft.description, seed),
  });
  if (draft.next === 'draft') window.setStatusBarMessage(l10n.t('{0} created as a draft.', id), 5_000);
  else await startTicket(repository, id, draft.next);
  return id;
}

function ways(): readonly Choice<Draft['next']>[] {
  return [
    {
      label: `$(organization) ${l10n.t('Start in council')}`,
      detail: l10n.t('Several models draft, vote and refine. Slower and more expensive, but more thorough.'),
      value: 'full',
    },
    {
      label: `$(person) ${l10n.t('Start solo')}`,
      detail: l10n.t('One model plans and codes.'),
      value: 'solo',
    },
    {
      label: `$(zap) ${l10n.t('Start quickly')}`,
      detail: l10n.t('For small work: one model writes one plan, which you approve once.'),
      value: 'quick',
    },
    {
      label: `$(circle-large-outline) ${l10n.t('Keep as draft')}`,
      detail: l10n.t('Nothing runs until you start it.'),
      value: 'draft',
    },
  ];
}

function problemOf(field: 'title' | 'description', text: string): string | undefined {
  const result = TicketInput.shape[field].safeParse(text);
  return result.success ? undefined : l10n.t(result.error.issues[0]?.message ?? '');
}

/** An input box has one line, so what the editor knew isn't put into it. */
function described(text: string, { description }: TicketSeed): string {
  return joined([text.trim(), description], '\n\n');
}
