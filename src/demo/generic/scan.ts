import { isRecord } from '../../base/json.ts';
import { isSafeRelativePath } from '../../domain/core/ids.ts';
import { readDocument, tagged } from '../script/documentText.ts';
import { type Plan, readCall, type ToolCall } from '../script/modelScript.ts';
import type { ParsedChat, ToolResult } from '../script/parsedChat.ts';

const most = 12;
const ignored = /(^|\/)(\.git|\.ticket|node_modules|dist|build|target|vendor|\.venv)(\/|$)/;

/** Lists only files that the tools on offer have shown. */
export function scanPlan(chat: ParsedChat): Plan {
  const results = chat.repair ? chat.allResults : chat.results;
  const seen = filesSeen(results, chat.directory);
  const text = tagged('RELEVANT_FILES_RESULT', {
    file_count: seen.files.length,
    files: seen.files.map((path, index) => ({
      path,
      rationale: `Listed by the scripted model because the tools showed it in the repository; it knows nothing more about ${path}.`,
      relevance: index < 3 ? 'high' : index < 7 ? 'medium' : 'low',
      likely_action: 'read',
      content_preview: seen.previews.get(path) ?? '',
    })),
  });
  const call = chat.repair ? undefined : nextLook(chat, seen);
  // One call more than there were results continues exactly where the chat is.
  const done = results.map((): ToolCall => ({ tool: 'read', args: {} }));
  return { calls: call ? [...done, call] : done, text };
}

interface Seen {
  readonly files: readonly string[];
  readonly folders: readonly string[];
  readonly read: ReadonlySet<string>;
  readonly previews: ReadonlyMap<string, string>;
  readonly globbed: boolean;
}

function nextLook({ tools, results }: ParsedChat, seen: Seen): ToolCall | undefined {
  if (results.length >= 8) return undefined;
  if (tools.has('glob') && results.length === 0) return { tool: 'glob', args: { pattern: '**/*' } };
  if (!tools.has('read')) return undefined;
  if (!seen.globbed && !seen.read.has('.')) return readCall('.');
  const folder = seen.globbed ? undefined : seen.folders.find((path) => !seen.read.has(path));
  if (folder !== undefined && seen.files.length < most) return readCall(folder);
  const file = seen.files.slice(0, 2).find((path) => !seen.read.has(path));
  return file === undefined ? undefined : { tool: 'read', args: { filePath: file, limit: 20 } };
}

function filesSeen(results: readonly ToolResult[], directory: string | undefined): Seen {
  const files = new Set<string>();
  const folders = new Set<string>();
  const read = new Set<string>();
  const previews = new Map<string, string>();
  const relative = (path: string): string => {
    const inside =
      directory !== undefined && path.startsWith(`${directory}/`) ? path.slice(directory.length + 1) : path;
    return inside === directory ? '.' : inside.replace(/^\.\//, '').replace(/\/$/, '') || '.';
  };
  const wanted = (path: string): boolean => isSafeRelativePath(path) && !ignored.test(path);
  let globbed = false;
  for (const { tool, args, output } of results) {
    if (tool === 'glob') {
      const paths = output
        .split('\n')
        .filter((line) => directory !== undefined && line.startsWith(`${directory}/`));
      globbed ||= paths.length > 0;
      for (const path of paths.map(relative).filter(wanted)) files.add(path);
    } else if (tool === 'read') {
      const path = relative(argument(args, 'filePath'));
      read.add(path);
      for (const entry of inTag(output, 'entries').split('\n')) {
        const child = path === '.' ? entry.trim() : `${path}/${entry.trim()}`;
        if (entry.trim().endsWith('/') && wanted(relative(child))) folders.add(relative(child));
        else if (/^[^(]/.test(entry.trim()) && wanted(child)) files.add(child);
      }
      const lines = [...inTag(output, 'content').matchAll(/^\d+: (.*)$/gm)].map((line) => line[1] ?? '');
      if (lines.length > 0) previews.set(path, lines.slice(0, 12).join('\n').slice(0, 800));
    }
  }
  return {
    files: [...files].sort(byRelevance).slice(0, most),
    folders: [...folders].sort(),
    read,
    previews,
    globbed,
  };
}

/** Readme first, then manifests, then files with a short extension. */
function byRelevance(a: string, b: string): number {
  const rank = (path: string): number =>
    /^readme/i.test(path)
      ? 0
      : /^(package\.json|pyproject\.toml|go\.mod|Cargo\.toml|pom\.xml)$/.test(path)
        ? 1
        : /\.\w{1,4}$/.test(path)
          ? 2
          : 3;
  return rank(a) - rank(b) || (a < b ? -1 : 1);
}

function argument(args: string, name: string): string {
  const value = readDocument(args);
  const found = isRecord(value) ? value[name] : undefined;
  return typeof found === 'string' ? found : '.';
}

function inTag(text: string, tag: string): string {
  return new RegExp(`<${tag}>\\n?([\\s\\S]*?)</${tag}>`).exec(text)?.[1] ?? '';
}
