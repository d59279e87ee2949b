import type * as z from 'zod';

/** What is wrong with a document, a line each: where, and why. Ten at most, because the model reads it. */
export function problemText(error: z.ZodError): string {
  const lines = error.issues.slice(0, 10).map((issue) => `- ${pathText(issue.path)}: ${issue.message}`);
  if (error.issues.length > lines.length) lines.push(`- and ${error.issues.length - lines.length} more`);
  return lines.join('\n');
}

function pathText(path: readonly PropertyKey[]): string {
  if (path.length === 0) return '(whole document)';
  return path.map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index === 0 ? '' : '.'}${String(part)}`)).join('');
}
