/** Terminal colors and control characters that a model copied from a tool's output; never part of a document. */
const noise = /\u001B\[[0-9;?]*[A-Za-z]|[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F\uFEFF]/gu;

/**
 * The parts of an answer that may be its document, most likely first: what stands in the tag, in fences (the last first), the text from the first
 * known key on, and the whole (docs/decisions/034-structured-answers.md). `keys` are the document's top keys.
 */
export function candidatesOf(text: string, options: { readonly tag?: string; readonly keys: readonly string[] }): readonly string[] {
  const clean = text.replaceAll('\r\n', '\n').replace(noise, '');
  const tagged = options.tag === undefined ? undefined : insideTag(clean, options.tag);
  const found = tagged === undefined ? [] : [...fencesOf(tagged), stripFence(tagged)];
  found.push(...fencesOf(clean), ...fromFirstKey(clean, options.keys), clean);
  return [...new Set(found.map((candidate) => candidate.trim()))].filter((candidate) => candidate !== '');
}

/** What stands in the last block of a tag; the rest of the text if it is never closed. */
function insideTag(text: string, tag: string): string | undefined {
  const start = text.lastIndexOf(`<${tag}>`);
  if (start < 0) return undefined;
  const rest = text.slice(start + tag.length + 2);
  const end = rest.indexOf(`</${tag}>`);
  return end < 0 ? rest : rest.slice(0, end);
}

/** The contents of fenced blocks, the last first, those that say what they are before those that don't. */
export function fencesOf(text: string): readonly string[] {
  const named: string[] = [];
  const plain: string[] = [];
  for (const [, , language = '', content = ''] of text.matchAll(
    /^[ \t]*(`{3,}(?!`)|~{3,}(?!~))([\w-]*)[^\n]*\n([\s\S]*?)^[ \t]*\1[ \t]*$/gm,
  ))
    (/^(?:ya?ml|jsonl?|ndjson)$/i.test(language) ? named : plain).push(content);
  return [...named.reverse(), ...plain.reverse()];
}

/** Takes off a fence whose other half is missing. */
function stripFence(text: string): string {
  return text.replace(/^\s*(?:`{3,}|~{3,})[\w-]*[ \t]*\n/, '').replace(/\n[ \t]*(?:`{3,}|~{3,})\s*$/, '');
}

function fromFirstKey(text: string, keys: readonly string[]): readonly string[] {
  if (keys.length === 0) return [];
  const match = new RegExp(`^(?:${keys.map(escaped).join('|')})[ \\t]*:`, 'm').exec(text);
  return match ? [stripFence(text.slice(match.index))] : [];
}

function escaped(key: string): string {
  return key.replace(/[^\w]/g, '\\$&');
}

/** Whether an answer merely repeats the prompt: its title line, or the heads of its parts (docs/decisions/034-structured-answers.md). */
export function isPromptEcho(text: string): boolean {
  if (/^# Beadsmith task: /m.test(text)) return true;
  return /^## ticket_details$/m.test(text) && /^## relevant_files$/m.test(text);
}
