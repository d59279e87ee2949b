import { isRecord } from '../../base/json.ts';

/** Fields that say only when, by whom and in which order something was written. */
const technical = new Set(
  (
    '_type created_at updated_at closed_at deleted_at compacted_at created_by updated_by content_hash ' +
    'created_date updated_date ordinal createdAt updatedAt parentTaskId parentId dependency_count ' +
    'dependent_count comment_count'
  ).split(' '),
);

/** A line for each field of a record that a reader doesn't know and that says something. */
export function otherFields(record: unknown, known: readonly string[]): string {
  if (!isRecord(record)) return '';
  return Object.entries(record)
    .filter(([name]) => !known.includes(name) && !technical.has(name))
    .map(([name, value]) => [name, wordsOf(value)] as const)
    .filter(([, words]) => words !== '')
    .map(([name, words]) => `- ${name}: ${words}`)
    .join('\n');
}

/** A line for a status that isn't the one that work begins with. */
export function statusLine(status: string, first: string): readonly string[] {
  return status.toLowerCase() === first ? [] : ['', `Status in the source: ${status}`];
}

function wordsOf(value: unknown): string {
  if (value === null || value === undefined || value === false) return '';
  if (typeof value === 'string') return value.trim();
  if (Array.isArray(value))
    return value
      .map(wordsOf)
      .filter((words) => words !== '')
      .join(', ');
  const text = JSON.stringify(value);
  return text === '{}' ? '' : text;
}
