import { keepNewest } from '../../base/keepNewest.ts';
import { Interview } from '../requirements/interview.ts';
import { readText, writeText } from './base/text.ts';

/** Fields of stored documents that are about the document itself, and not about the work. */
const bookkeeping: readonly string[] = [
  'schema_version',
  'ticket_id',
  'artifact',
  'status',
  'generated_by',
  'source_interview',
  'approval',
  'file_count',
];

/**
 * A document as models read it (docs/decisions/174-documents-without-bookkeeping.md): all other fields stand
 * as they were written.
 */
export function withoutBookkeeping(text: string): string {
  if (!/^artifact:/m.test(text)) return text;
  let isKept = true;
  const lines = text.split('\n').filter((line) => {
    const key = /^([\w-]+):/.exec(line)?.[1];
    if (key !== undefined) isKept = !bookkeeping.includes(key);
    return isKept;
  });
  return lines.join('\n');
}

/**
 * Reading an interview takes longer than all the rest of a prompt, and a run asks several models about the
 * same one.
 */
const known = new Map<string, string>();
const mostKnown = 8;

/**
 * An interview as models read it: also without what each question has only so that all have the same fields.
 * What can't be read stays as it is.
 */
export function leanInterview(text: string): string {
  const before = known.get(text);
  if (before !== undefined) return before;
  const read = readText('yaml', text);
  const { data } = Interview.safeParse(read.ok ? read.value : undefined);
  const lean = data ? writeText('yaml', leanOf(data)) : withoutBookkeeping(text);
  known.set(text, lean);
  keepNewest(known, mostKnown);
  return lean;
}

function leanOf({ questions, settled, merged, trimmed, summary }: Interview): object {
  return {
    questions: questions.map(({ source: _source, answer: { answered_at: _at, ...answer }, ...question }) => {
      return { ...withoutEmpty(question), answer: withoutEmpty(answer) };
    }),
    ...withoutEmpty({ settled, merged, trimmed }),
    summary: withoutEmpty(summary),
  };
}

function withoutEmpty(fields: object): object {
  const said = Object.entries(fields).filter(([, value]: [string, unknown]) => {
    return value !== null && value !== '' && value !== false && !(Array.isArray(value) && value.length === 0);
  });
  return Object.fromEntries(said);
}
