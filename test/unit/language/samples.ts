import { stringify } from 'yaml';

export function beadLine(
  id: string,
  blockedBy: readonly string[] = [],
  blocks: readonly string[] = [],
  more: object = {},
): string {
  return JSON.stringify({
    id,
    title: `Bead ${id}`,
    description: 'd',
    acceptanceCriteria: ['It works.'],
    issueType: 'task',
    labels: ['a'],
    dependencies: { blocked_by: blockedBy, blocks },
    targetFiles: ['a.js'],
    testCommands: ['node --test'],
    ...more,
  });
}

export function prdText(): string {
  const story = (id: string) => ({ id, title: `Story ${id}`, acceptance_criteria: ['It greets.'] });
  return stringify({
    schema_version: 1,
    ticket_id: 'TST-1',
    artifact: 'prd',
    status: 'draft',
    source_interview: { content_sha256: 'a'.repeat(64) },
    product: { problem_statement: 'Nobody is greeted.' },
    scope: { in_scope: ['Greeting'] },
    epics: [{ id: 'EPIC-1', title: 'Greet', user_stories: [story('US-1-1'), story('US-1-2')] }],
    approval: { approved_by: '', approved_at: '' },
  });
}

export function marked(
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
): string {
  return text.slice(start, end);
}
