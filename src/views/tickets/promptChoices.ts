import { l10n, window } from 'vscode';
import { mayLeaveOut, partNames, partRow } from '../../context/partRow.ts';
import { promptRulesDocument } from '../../domain/documents/promptRules.ts';
import { type ContextEntry, isEditable } from '../../domain/prompts/contextEntries.ts';
import { inboxBodies, type InboxBody } from '../../domain/ticket/inbox.ts';
import { noChoices, PromptChoices, type StandingRule } from '../../domain/prompts/promptChoices.ts';
import { readArtifact } from '../../protocol/readDocument.ts';
import { openDocument } from '../documents/openDocument.ts';
import { askInSteps, changed, type Choice, pickOne, writeText } from '../shared/quickInput.ts';
import { sendAction, sendAndTell } from '../shared/sendAction.ts';
import type { TicketPlace } from '../shared/workbench.ts';

export async function previewNextPrompt(place: TicketPlace): Promise<void> {
  await sendAction(place.repository.client, place.ticket, 'preview_prompt', {});
  window.setStatusBarMessage(
    l10n.t('{0}: the next prompt waits for you before it’s sent.', place.ticket),
    8_000,
  );
}

type Rule = InboxBody<'prompt_rule'>;

/** See docs/decisions/157-people-choose-what-later-prompts-hold.md. */
export async function choosePromptParts(place: TicketPlace): Promise<void> {
  const { repository, ticket } = place;
  const { client } = repository;
  const [calls, { rules }, { beads }] = await Promise.all([
    client.history.inspect(ticket),
    readArtifact(client, ticket, 'prompt_choices', PromptChoices).then((stored) => stored ?? noChoices),
    client.beads(ticket),
  ]);
  const sizes = new Map(
    calls.flatMap(({ parts }) => parts.map(({ name, tokens }) => [name, tokens] as const)),
  );
  // First what prompts of the ticket had, then what later ones may have.
  const names = [
    ...new Set([...rules.map(({ part }) => part), ...sizes.keys()].toSorted().concat(partNames.toSorted())),
  ].filter((name) => partRow(name));
  const title = l10n.t('{0}: pin or exclude prompt parts', ticket);
  const open = beads.filter(({ status }) => status !== 'done' && status !== 'skipped');
  const chosen = await askInSteps<Rule>({ part: '', rule: 'none', bead: null }, [
    async (known, step) => {
      const choices = names.map((name) => ({
        label: name,
        value: name,
        ...about(name, sizes.get(name), rules),
      }));
      const reply = await pickOne({
        ...step,
        title,
        placeholder: l10n.t('Select a part of later prompts'),
        choices: [...choices, { label: `$(go-to-file) ${l10n.t('Edit as File')}`, value: '' }],
      });
      if (reply.kind === 'given' && reply.value === '') {
        await openDocument(place, promptRulesDocument.kind, { focus: true });
        return { kind: 'left' };
      }
      return changed(reply, (value) => ({ ...known, part: value }));
    },
    async (known, step) => {
      const reply = await pickOne({
        ...step,
        title,
        placeholder: known.part,
        choices: ruleChoices(known.part),
      });
      return changed(reply, (value) => ({ ...known, rule: value }));
    },
    async (known, step) => {
      const whole: Choice<string | null> = {
        label: l10n.t('The Whole Ticket'),
        detail: l10n.t('All later prompts that include this part.'),
        value: null,
      };
      const choices = [
        whole,
        ...open.map(({ id, title: about }): Choice<string | null> => ({
          label: id,
          detail: about,
          value: id,
        })),
      ];
      if (open.length === 0) return { kind: 'given', value: { ...known, bead: null } };
      const reply = await pickOne({
        ...step,
        title,
        placeholder: l10n.t('Select the prompts it applies to'),
        choices,
      });
      return changed(reply, (value) => ({ ...known, bead: value }));
    },
  ]);
  if (chosen) await sendAndTell(place, 'prompt_rule', chosen);
}

function ruleChoices(part: string): readonly Choice<Rule['rule']>[] {
  return [
    {
      label: l10n.t('Pin'),
      detail: l10n.t('It’s kept whole, even if other parts must be left out.'),
      value: 'pin',
    },
    ...(mayLeaveOut(part)
      ? [
          {
            label: l10n.t('Exclude'),
            detail: l10n.t('It’s left out. Results that depend on it may get worse.'),
            value: 'exclude' as const,
          },
        ]
      : []),
    { label: l10n.t('Default'), detail: l10n.t('It’s sent as the budget allows.'), value: 'none' },
  ];
}

function about(
  name: string,
  tokens: number | undefined,
  rules: readonly StandingRule[],
): { readonly description: string } {
  const decided = rules
    .filter(({ part }) => part === name)
    .map(({ rule, bead }) => {
      const word = rule === 'pin' ? l10n.t('pinned') : l10n.t('excluded');
      return bead === null ? word : l10n.t('{0} for {1}', word, bead);
    });
  return {
    description: [
      ...(tokens === undefined ? [] : [l10n.t('{0} tokens', tokens.toLocaleString())]),
      ...decided,
    ].join(' · '),
  };
}

export async function editContext(place: TicketPlace): Promise<void> {
  const { repository, ticket } = place;
  const editable = (await repository.client.context(ticket)).filter(isEditable);
  if (editable.length === 0) {
    void window.showInformationMessage(l10n.t('{0} has no context that can be changed.', ticket));
    return;
  }
  const title = l10n.t('{0}: edit context', ticket);
  const edited = await askInSteps<{ readonly entry: ContextEntry | undefined; readonly text: string }>(
    { entry: undefined, text: '' },
    [
      async (_known, step) => {
        const choices = editable.map((entry) => ({
          label: entry.text.slice(0, 200),
          detail: new Date(entry.at).toLocaleString(),
          value: entry,
        }));
        const reply = await pickOne({
          ...step,
          title,
          placeholder: l10n.t('Select what to change.'),
          choices,
        });
        return changed(reply, (value) => ({ entry: value, text: value.text }));
      },
      async (known, step) => {
        const reply = await writeText({
          ...step,
          title,
          prompt: l10n.t('What should the agents know instead?'),
          value: known.text,
          check: (text) =>
            inboxBodies.edit_context.shape.text.safeParse(text).success
              ? undefined
              : l10n.t('Enter between 1 and 20,000 characters.'),
        });
        return changed(reply, (value) => ({ ...known, text: value.trim() }));
      },
    ],
  );
  if (edited?.entry) await sendAndTell(place, 'edit_context', { entry: edited.entry.id, text: edited.text });
}
