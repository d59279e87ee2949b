import { l10n, window } from 'vscode';
import { joined } from '../../base/joined.ts';
import { QaChecklist, qaChecklistDocument, type QaResults } from '../../domain/documents/qaChecklist.ts';
import { readArtifact } from '../../protocol/readDocument.ts';
import { plainLabel } from '../shared/plainText.ts';
import { askInSteps, type Choice, pickOne, type Step, writeText } from '../shared/quickInput.ts';
import { sendAndTell } from '../shared/sendAction.ts';
import type { TicketPlace } from '../shared/workbench.ts';

type Item = QaChecklist['items'][number];
type Results = QaResults['results'];
type Result = Results[string]['result'];

export async function answerQa(place: TicketPlace): Promise<void> {
  const { repository, ticket } = place;
  const checklist = await readArtifact(repository.client, ticket, qaChecklistDocument.kind, QaChecklist);
  if (!checklist) {
    void window.showInformationMessage(l10n.t('{0} has no checklist.', ticket));
    return;
  }
  const results = await askInSteps<Results>(
    {},
    checklist.items.map((item) => askItem(ticket, item)),
  );
  if (results) await sendAndTell(place, 'qa', { results });
}

function askItem(ticket: string, item: Item): Step<Results> {
  return async (known, place) => {
    const title = `${ticket}: ${item.title}`;
    const placeholder = joined([...item.actions, item.expectedResult], ' → ');
    const reply = await pickOne<Result>({ ...place, title, placeholder, choices: resultsOf(item) });
    if (reply.kind !== 'given') return reply;
    if (reply.value === 'pass')
      return { kind: 'given', value: { ...known, [item.id]: { result: 'pass', observation: '' } } };
    const isFailure = reply.value === 'fail';
    const note = await writeText({
      ...place,
      title,
      prompt: isFailure ? l10n.t('What did you see?') : l10n.t('Reason for waiving (optional)'),
      check: (text) => (isFailure && text.trim() === '' ? l10n.t('Describe what you saw.') : undefined),
    });
    if (note.kind !== 'given') return note;
    return {
      kind: 'given',
      value: { ...known, [item.id]: { result: reply.value, observation: note.value.trim() } },
    };
  };
}

function resultsOf(item: Item): readonly Choice<Result>[] {
  return [
    { label: `$(pass) ${l10n.t('Pass')}`, detail: plainLabel(item.expectedResult), value: 'pass' },
    { label: `$(error) ${l10n.t('Fail…')}`, detail: l10n.t('A fix bead is added.'), value: 'fail' },
    { label: `$(circle-slash) ${l10n.t('Waive…')}`, detail: l10n.t('Exclude this item.'), value: 'waive' },
  ];
}
