import { isAbsolute, relative, resolve, sep } from 'node:path';
import { textIn } from '../../domain/documents/base/check.ts';
import type { Touched } from '../../engine/ports/ports.ts';
import type { StoredMessage } from './messages/storedMessages.ts';

/** Any other tool may change files. */
const reading = [
  'read grep glob list ls webfetch websearch codesearch lsp todowrite todoread question skill',
  'invalid',
].flatMap((line) => line.split(' '));
const naming = ['edit', 'multiedit', 'write'];
/** A command that leaves something at work, which may write until the answer ends. */
const background =
  /(?<![&>])&(?![&>])|\b(?:nohup|setsid|disown|daemon|screen|tmux|watch)\b|\bdocker\b.*\s-d\b|--(?:detach|daemon|watch)\b/;

/**
 * Files that a session's tools changed, and times when others may have changed
 * (docs/decisions/080-edits-in-the-worktree.md).
 */
export function touchedFiles(messages: readonly StoredMessage[], directory: string): Touched {
  const paths = new Set<string>();
  const spans: { from: number; to: number }[] = [];
  let since = Number.MAX_SAFE_INTEGER;
  // What tools left at work is ended once the agent answered.
  const ended = messages.findLast(({ info }) => info.role === 'assistant')?.info.time;
  const end = (ended && 'completed' in ended ? ended.completed : undefined) ?? Number.MAX_SAFE_INTEGER;
  for (const { info, parts } of messages) {
    const { created } = info.time;
    if (created !== undefined) since = Math.min(since, created);
    for (const { tool, state } of parts) {
      if (tool === undefined || state === undefined || reading.includes(tool)) continue;
      const path = naming.includes(tool) ? pathIn(directory, textIn(state.input, 'filePath')) : undefined;
      if (path !== undefined) paths.add(path);
      else if (!naming.includes(tool)) spans.push(spanOf(tool, state, end));
    }
  }
  return { since, paths: [...paths], spans };
}

function spanOf(
  tool: string,
  { input, time }: NonNullable<StoredMessage['parts'][number]['state']>,
  end: number,
): { from: number; to: number } {
  const isLeft = tool === 'bash' && background.test(textIn(input, 'command'));
  return { from: time?.start ?? 0, to: isLeft ? end : (time?.end ?? end) };
}

/** A path as git writes it; undefined outside. */
export function pathIn(directory: string, path: string): string | undefined {
  if (path === '') return undefined;
  const below = relative(directory, resolve(directory, path));
  return below === '' || below.startsWith('..') || isAbsolute(below) ? undefined : below.split(sep).join('/');
}
