import { commands as editor } from 'vscode';
import type { Workbench } from './workbench.ts';

/** What package.json asks for in its `when` clauses. */
export interface ContextKeys {
  /** `empty`: everything is open, and there is no ticket. */
  readonly 'beadsmith.state': 'idle' | 'opening' | 'noFolder' | 'noRepository' | 'empty' | 'ready';
  readonly 'beadsmith.noModel': boolean;
  /** Addresses of open documents that their gate asks to be approved. */
  readonly 'beadsmith.documentsAtGate': readonly string[];
}

export async function setContextKeys({ repositories, board }: Workbench): Promise<void> {
  const open = repositories.entries.flatMap((entry) => (entry.kind === 'open' ? [entry.repository] : []));
  const isEmpty =
    repositories.state === 'ready' && board.rows.length > 0 && board.rows.every((row) => row.tickets.length === 0 && !row.error);
  await setKeys({
    'beadsmith.state': isEmpty ? 'empty' : repositories.state,
    'beadsmith.noModel': open.length > 0 && open.every((repository) => repository.startSettings().mainImplementer === undefined),
  });
}

/** Menus of an editor ask for these. */
export async function setDocumentsAtGate(addresses: readonly string[]): Promise<void> {
  await setKeys({ 'beadsmith.documentsAtGate': addresses });
}

async function setKeys(keys: Partial<ContextKeys>): Promise<void> {
  await Promise.all(Object.entries(keys).map(([key, value]) => editor.executeCommand('setContext', key, value)));
}
