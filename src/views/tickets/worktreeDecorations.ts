import { EventEmitter, FileDecoration, l10n, ThemeColor, type Uri, window } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { TicketId } from '../../domain/core/ids.ts';
import type { Client } from '../../protocol/api.ts';
import type { Workbench } from '../shared/workbench.ts';

interface Worktree {
  readonly read: string;
  readonly files: ReadonlyMap<string, readonly string[]>;
}

/** Only in a window that shows a ticket's worktree. */
export function worktreeDecorations({
  board,
  repositories,
  logError,
}: Pick<Workbench, 'board' | 'repositories' | 'logError'>): Disposable {
  const parts = new DisposableStore();
  const changed = new EventEmitter<undefined>();
  const worktrees = new Map<string, Worktree>();
  const look = async (): Promise<void> => {
    for (const { root, repository } of board.rows) {
      const ticket = repository && (await ticketOf(root, repository.client));
      if (!ticket) continue;
      const found = await readWorktree(repository.client, ticket, worktrees.get(root));
      if (!found || found === worktrees.get(root)) continue;
      worktrees.set(root, found);
      changed.fire(undefined);
    }
  };
  parts.add(changed);
  parts.add(board.onDidRead(() => void look().catch((error: unknown) => logError('decorations', error))));
  parts.add(repositories.onDidChange(() => worktrees.clear()));
  parts.add(
    window.registerFileDecorationProvider({
      onDidChangeFileDecorations: changed.event,
      provideFileDecoration: (uri) => decoration(uri, worktrees),
    }),
  );
  return parts;
}

/** A worktree is named after its ticket, so of any other folder nothing is read. */
async function ticketOf(root: string, client: Client): Promise<string | undefined> {
  const name = TicketId.safeParse(root.split(/[\\/]/).at(-1));
  if (!name.success) return undefined;
  const [view] = await client.tickets([name.data]);
  if (!view) return undefined;
  const { ticket } = await client.ticket(name.data);
  return ticket.worktree === root ? ticket.id : undefined;
}

async function readWorktree(
  client: Client,
  ticket: string,
  known: Worktree | undefined,
): Promise<Worktree | undefined> {
  const infos = (await client.artifacts(ticket)).filter(
    ({ type, archived }) => type.startsWith('bead_diff:') && !archived,
  );
  const read = infos.map(({ sha256 }) => sha256).join();
  if (known?.read === read) return known;
  const diffs = [];
  for (const { type } of infos) {
    const diff = await client.artifact(ticket, type);
    if (diff) diffs.push({ bead: type.slice('bead_diff:'.length), diff: diff.content });
  }
  return { read, files: touchedFiles(diffs) };
}

function decoration(uri: Uri, worktrees: ReadonlyMap<string, Worktree>): FileDecoration | undefined {
  if (uri.scheme !== 'file' || worktrees.size === 0) return undefined;
  for (const [root, { files }] of worktrees) {
    if (!uri.fsPath.startsWith(root)) continue;
    const beads = files.get(uri.fsPath.slice(root.length + 1).replaceAll('\\', '/'));
    if (beads)
      return new FileDecoration(
        '●',
        l10n.t('Changed by {0}', beads.join(', ')),
        new ThemeColor('charts.blue'),
      );
  }
  return undefined;
}

/** A file's present path, or the last one if it is gone. */
function pathsOf(diff: string): readonly string[] {
  const paths = new Set<string>();
  for (const [, line = ''] of diff.matchAll(/^(?:\+\+\+ |--- |rename to |Binary files )(.*)$/gm)) {
    const path = pathOf(line);
    if (path !== undefined) paths.add(path);
  }
  return [...paths];
}

function pathOf(line: string): string | undefined {
  const binary = / and (.+) differ$/.exec(line)?.[1];
  const name = (binary ?? line).replace(/\t.*$/, '');
  // git quotes names with unusual characters; those aren't decorated.
  if (name === '/dev/null' || name.startsWith('"')) return undefined;
  return name.replace(/^[abciow]\//, '');
}

/** Beads by file. `diffs`: of each bead, in the order of the plan. */
export function touchedFiles(
  diffs: readonly { readonly bead: string; readonly diff: string }[],
): ReadonlyMap<string, readonly string[]> {
  const touched = new Map<string, readonly string[]>();
  for (const { bead, diff } of diffs)
    for (const path of pathsOf(diff)) touched.set(path, [...(touched.get(path) ?? []), bead]);
  return touched;
}
