import { readRecords, textField, tagged, yamlFence } from '../documentText.ts';
import type { ParsedChat } from '../parsedChat.ts';
import { ticketFacts } from './ticketFacts.ts';

export function qaChecklist({ parts }: ParsedChat): string {
  const beads = readRecords(parts.get('beads') ?? parts.get('bead_list'), 'beads');
  const listed = beads.length > 0 ? beads : [{ id: '', title: ticketFacts(parts).title }];
  return tagged('MANUAL_QA_CHECKLIST', {
    items: listed.slice(0, 20).map((bead, index) => ({
      id: `qa-${String(index + 1).padStart(3, '0')}`,
      title: textField(bead, 'title') || 'The ticket as a whole',
      behavior: 'What the bead describes can be seen.',
      severity: 'required',
      prerequisites: [],
      actions: ['Look at the files of this bead.', 'Run its test commands.'],
      expectedResult: 'The tests pass. (A scripted item.)',
      beadRefs: textField(bead, 'id') === '' ? [] : [textField(bead, 'id')],
      prdRefs: [],
    })),
  });
}

export function pullRequest({ parts }: ParsedChat): string {
  const { title, id } = ticketFacts(parts);
  const beads = readRecords(parts.get('bead_list') ?? parts.get('beads'), 'beads').map((bead) => textField(bead, 'title'));
  return yamlFence({
    title: title.slice(0, 200),
    summary: [`Does what ${id} asks for. This text was written by a scripted model.`],
    why: [title],
    what_changed: beads.length > 0 ? beads : ['See the commits.'],
    validation: ['The tests of every bead and the final test were run by the engine.'],
    follow_ups: [],
  });
}
