import { tagged } from '../script/documentText.ts';
import type { ParsedChat } from '../script/parsedChat.ts';
import { genericBeads } from './beads.ts';
import { noteFiles } from './noteFiles.ts';
import { genericPrd } from './prd.ts';

/** PRD and beads of a small ticket in one answer: a bead for each story, each after the one before it. */
export function quickPlan(chat: ParsedChat): string {
  const prd = genericPrd(chat.parts, chat.model);
  const beads = genericBeads(chat, prd);
  return tagged('QUICK_PLAN', {
    prd,
    beads: beads.map((bead, index) => ({
      ...bead,
      issueType: 'task',
      labels: ['scripted'],
      dependencies: { blocked_by: beads.slice(Math.max(0, index - 1), index).map(({ id }) => id) },
      targetFiles: Object.values(noteFiles(bead.id)),
    })),
  });
}
