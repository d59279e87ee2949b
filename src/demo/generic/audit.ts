import * as z from 'zod';
import { Blueprint } from '../../domain/beads/bead.ts';
import type { CoverageRow } from '../../domain/requirements/interview.ts';
import { PrdDraft } from '../../domain/requirements/prd.ts';
import { linksOf } from '../../domain/links/links.ts';
import { names } from '../../domain/links/holes.ts';
import { readDocument, readRecords, textField, yamlFence } from '../script/documentText.ts';
import type { ParsedChat } from '../script/parsedChat.ts';

const PrdPart = z.object({ epics: PrdDraft.shape.epics });

/**
 * An audit of the PRD or the plan: a row for each answer or criterion as the documents link them, and these
 * gaps.
 */
export function audit(chat: ParsedChat, gaps: readonly string[] = []): string {
  const rows = chat.task === 'beads-coverage' ? planRows(chat) : prdRows(chat, gaps);
  return yamlFence({ rows, status: gaps.length > 0 ? 'gaps' : 'clean', gaps, follow_up_questions: [] });
}

function prdRows({ parts }: ParsedChat, gaps: readonly string[]): readonly CoverageRow[] {
  const questions = readRecords(parts.get('full_answers'), 'questions').map((one) => ({
    id: textField(one, 'id'),
    prompt: '',
  }));
  const { data: prd } = PrdPart.safeParse(readDocument(parts.get('prd')));
  return linksOf({ questions, ...(prd ? { prd } : {}) }).questions.map(({ id, stories }) => {
    const isOpen = stories.length > 0 || gaps.some((gap) => names(gap, id));
    return {
      id,
      met_by: [...stories],
      note: isOpen ? '' : 'Nothing in the product follows from this answer. (Scripted.)',
    };
  });
}

function planRows({ parts }: ParsedChat): readonly CoverageRow[] {
  const { data: prd } = PrdPart.safeParse(readDocument(parts.get('prd')));
  const { data: plan } = Blueprint.safeParse({ beads: readRecords(parts.get('beads'), 'beads') });
  const { criteria } = linksOf({ questions: [], beads: plan?.beads ?? [], ...(prd ? { prd } : {}) });
  return criteria.map(({ id, beads }) => ({ id, met_by: [...beads], note: '' }));
}
