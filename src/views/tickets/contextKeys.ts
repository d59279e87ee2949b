import { commands as editor } from 'vscode';
import { menuCommands, type Offer } from '../commands/offered.ts';
import { openOf, type Readiness } from '../shared/repositories.ts';
import type { Workbench } from '../shared/workbench.ts';

/** The context keys that package.json uses in its `when` clauses. */
interface ContextKeys {
  /** `empty`: everything is open, and there is no ticket. */
  readonly 'beadsmith.state':
    | 'idle'
    | 'opening'
    | 'noFolder'
    | 'noRepository'
    | 'noCommits'
    | 'noOpencode'
    | 'otherOpencode'
    | 'empty'
    | 'ready';
  readonly 'beadsmith.noModel': boolean;
  readonly 'beadsmith.isFollower': boolean;
  readonly 'beadsmith.isFiltered': boolean;
  readonly 'beadsmith.nothingMatches': boolean;
  /** Commands that make sense for some ticket, each between two semicolons. */
  readonly 'beadsmith.offered': string;
  readonly 'beadsmith.documentsAtGate': readonly string[];
}

export async function setContextKeys(
  { repositories, board, list }: Pick<Workbench, 'repositories' | 'board' | 'list'>,
  view: { readonly isEmpty: boolean; readonly readiness: Readiness | undefined },
): Promise<void> {
  const open = openOf(repositories);
  const hasNone =
    repositories.state === 'ready' &&
    board.rows.length > 0 &&
    board.rows.every((row) => row.tickets.length === 0 && !row.error);
  await setKeys({
    'beadsmith.state': hasNone ? whyEmpty(view.readiness) : repositories.state,
    'beadsmith.noModel':
      open.length > 0 && open.every((repository) => repository.startSettings().mainImplementer === undefined),
    'beadsmith.isFollower': open.some(({ client }) => client.repository.mode === 'follower'),
    'beadsmith.isFiltered': list.isFiltered,
    'beadsmith.nothingMatches': view.isEmpty && !hasNone && list.isFiltered,
    'beadsmith.offered': offered(board.rows),
  });
}

function whyEmpty(readiness: Readiness | undefined): ContextKeys['beadsmith.state'] {
  if (readiness?.hasCommits === false) return 'noCommits';
  if (readiness?.opencode === 'missing') return 'noOpencode';
  return readiness?.opencode === 'otherVersion' ? 'otherOpencode' : 'empty';
}

/** Tickets with the same relevant facts are offered the same, so each kind is computed once. */
function offered(rows: Workbench['board']['rows']): string {
  const kindOf = ({ status, actions, beadsDone }: Offer): string =>
    JSON.stringify([status, actions, beadsDone > 0]);
  const kinds = new Map(
    rows.flatMap(({ tickets }) => tickets.map((ticket) => [kindOf(ticket), ticket] as const)),
  );
  const names = new Set([...kinds.values()].flatMap((ticket) => menuCommands(ticket)));
  return `;${[...names].join(';')};`;
}

export async function setDocumentsAtGate(addresses: readonly string[]): Promise<void> {
  await setKeys({ 'beadsmith.documentsAtGate': addresses });
}

async function setKeys(keys: Partial<ContextKeys>): Promise<void> {
  await Promise.all(
    Object.entries(keys).map(([key, value]) => editor.executeCommand('setContext', key, value)),
  );
}
