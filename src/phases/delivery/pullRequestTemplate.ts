import { forgeText } from '../../base/forgeText.ts';
import { templatePath } from '../../domain/forge/templatePath.ts';
import type { Git } from '../../engine/ports/ports.ts';

const { prose: line, cell } = forgeText;

const longest = 20_000;

export async function readTemplate(git: Git, commit: string): Promise<string> {
  const path = templatePath(await git.regularFiles(commit));
  const bytes = path === undefined ? undefined : await git.blob(commit, path);
  return bytes === undefined || bytes.length > longest ? '' : new TextDecoder().decode(bytes);
}

/**
 * The template with a summary in its description section, or ahead of everything. It is a text of the
 * repository, so it is escaped; headings, lists, tables and code stay. No checkbox is ticked.
 */
export function framed(template: string, summary: string): string {
  const lines = rendered(template);
  const headings = lines.flatMap(({ text, kind }, at) => (kind === 'heading' ? [{ text, at }] : []));
  const description =
    headings.find(({ text }) => described.test(text)) ?? headings.find(({ text }) => aboutChanges.test(text));
  if (!description || summary === '') {
    return joined([summary === '' ? '' : `## Summary\n\n${summary}`, ...lines.map(({ text }) => text)]);
  }
  const after = headings.find(({ at }) => at > description.at)?.at ?? lines.length;
  // What else stands there tells a person what to write.
  const boxes = lines.slice(description.at + 1, after).filter(({ kind }) => kind === 'box');
  const text = (some: readonly Line[]) => some.map((one) => one.text);
  return joined([
    ...text(lines.slice(0, description.at + 1)),
    `\n${summary}\n`,
    ...text(boxes),
    ...(boxes.length === 0 ? [] : ['']),
    ...text(lines.slice(after)),
  ]);
}

const described = /^#+ (?:.*\b)?(?:description|summary|overview)\b/i;
const aboutChanges = /^#+ \W*(?:(?:proposed )?changes|what)\b/i;

interface Line {
  readonly text: string;
  readonly kind: 'heading' | 'box' | 'other';
}

function rendered(template: string): readonly Line[] {
  const text = template
    .replace(/\r\n?/g, '\n')
    .replace(/^\uFEFF?---\n[^]*?\n---\n/, '')
    .replace(/<!--[^]*?(?:-->|$)/g, '');
  const lines: Line[] = [];
  let fence: { readonly mark: string; readonly content: string[] } | undefined;
  for (const raw of text.split('\n')) {
    if (fence) {
      if (raw.trim().startsWith(fence.mark)) {
        lines.push(...codeBlock(fence.content));
        fence = undefined;
      } else fence.content.push(raw);
      continue;
    }
    const mark = /^\s*(`{3,}(?=[^`]*$)|~{3,})/.exec(raw)?.[1];
    if (mark === undefined) lines.push(lineOf(raw, lines));
    else fence = { mark, content: [] };
  }
  return fence ? [...lines, ...codeBlock(fence.content)] : lines;
}

/** Lines of code between fences that nothing in them closes. */
function codeBlock(content: readonly string[]): readonly Line[] {
  const runs = content.flatMap((raw) => [...raw.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(Math.max(2, ...runs) + 1);
  return [fence, ...content, fence].map((text) => ({ text, kind: 'other' }));
}

function lineOf(raw: string, before: Line[]): Line {
  const heading = /^ {0,3}(#{1,6})\s+(\S.*)$/.exec(raw);
  if (heading)
    return {
      text: `${heading[1] ?? ''} ${line(plain(heading[2] ?? '').replace(/\s#+\s*$/, ''))}`,
      kind: 'heading',
    };
  const previous = before.at(-1);
  const underline = /^ {0,3}(?:(=)=*|--+)\s*$/.exec(raw);
  if (underline && previous?.kind === 'other' && /^[^\s>|`]/.test(previous.text)) {
    before.pop();
    return { text: `${underline[1] === undefined ? '##' : '#'} ${previous.text}`, kind: 'heading' };
  }
  if (/^ {0,3}([-*_])(?: *\1){2,} *$/.test(raw)) return { text: '***', kind: 'other' };
  const item = /^(\s*)([-*+]|\d{1,9}[.)])\s+(?:(\[[ xX]?\])\s+)?(\S.*)$/.exec(raw);
  if (item) {
    const [, indent = '', marker = '', box, text = ''] = item;
    return {
      text: `${indent}${marker} ${box === undefined ? '' : '[ ] '}${line(plain(text))}`,
      kind: box === undefined ? 'other' : 'box',
    };
  }
  const quoted = /^\s*>\s?(.*)$/.exec(raw);
  if (quoted) return { text: `> ${line(plain(quoted[1] ?? ''))}`, kind: 'other' };
  if (/^\s*\|.*\|\s*$/.test(raw)) return { text: row(raw), kind: 'other' };
  if (/^\s*<\/?[a-z][^<>]*>\s*$/i.test(raw)) return { text: '', kind: 'other' };
  return { text: line(plain(raw)), kind: 'other' };
}

function row(raw: string): string {
  const cells = raw.trim().slice(1, -1).split('|');
  const isRule = cells.every((text) => /^\s*:?-+:?\s*$/.test(text));
  return `| ${cells.map((text) => (isRule ? text.trim() : cell(plain(text)))).join(' | ')} |`;
}

/** Without marks that escaping would show: emphasis, and links, whose addresses become code. */
function plain(text: string): string {
  return text
    .replace(/(\*\*|__)(?=\S)([^*_]*)\1/g, '$2')
    .replace(/!?\[([^[\]]*)\]\(([^()\s]*)(?:\s[^()]*)?\)/g, '$1 ($2)');
}

function joined(parts: readonly string[]): string {
  return parts
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
