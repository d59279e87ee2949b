/** By name: `## <name>`, then a fence longer than any inside, or a quotation. */
export type PromptParts = ReadonlyMap<string, string>;

interface ReadPrompt {
  /** From `# Beadsmith task: <name>` outside fences. */
  readonly task: string | undefined;
  readonly parts: PromptParts;
}

const titleLine = /^# Beadsmith task: ([a-z][a-z0-9-]*)\s*$/;
const partLine = /^## (\S.*?)\s*$/;
const fenceLine = /^(`{3,}|~{3,})/;

/** Fences and quotations contain no heading, so that no ticket poses as a task. */
export function readPrompt(text: string): ReadPrompt {
  let task: string | undefined;
  let heading: string | undefined;
  const parts = new Map<string, string>();
  const lines = text.split(/\r?\n/);
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const fence = fenceLine.exec(line)?.[1];
    if (fence !== undefined) {
      const end = closingLine(lines, at + 1, fence);
      if (heading !== undefined) parts.set(heading, lines.slice(at + 1, end).join('\n'));
      heading = undefined;
      at = end;
      continue;
    }
    if (heading !== undefined && line.startsWith('>')) {
      const end = lines.findIndex((other, place) => place > at && !other.startsWith('>'));
      const quoted = lines.slice(at, end < 0 ? lines.length : end);
      parts.set(heading, quoted.map((one) => one.replace(/^> ?/, '')).join('\n'));
      heading = undefined;
      at += quoted.length - 1;
      continue;
    }
    task ??= titleLine.exec(line)?.[1];
    const name = partLine.exec(line)?.[1];
    if (name !== undefined) heading = partName(name);
  }
  return { task, parts };
}

/** `From the user` and `from_the_user` are the same part. */
function partName(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '');
}

/** `### <label>`, then a document. */
export function labelledBlocks(
  text: string,
): readonly { readonly label: string; readonly content: string }[] {
  const heads = [...text.matchAll(/^#{2,4} (\S.*?)\s*$/gm)];
  return heads.map((head, index) => ({
    label: head[1] ?? '',
    content: unfenced(text.slice(head.index + head[0].length, heads[index + 1]?.index ?? text.length)),
  }));
}

/** The inside of the one fence that a text consists of, or the text. */
export function unfenced(text: string): string {
  const inside = /^\s*(`{3,}|~{3,})[^\n]*\n([\s\S]*?)\n?\1\s*$/.exec(text)?.[2];
  return (inside ?? text).trim();
}

function closingLine(lines: readonly string[], from: number, fence: string): number {
  const mark = fence.charAt(0);
  for (let at = from; at < lines.length; at++) {
    const line = (lines[at] ?? '').trimEnd();
    if (line.length >= fence.length && line === mark.repeat(line.length)) return at;
  }
  return lines.length;
}
