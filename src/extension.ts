import type { ExtensionContext } from 'vscode';
import { LazyHost } from './host/lazyHost.ts';

let host: LazyHost | undefined;

export function activate(context: ExtensionContext): void {
  host = new LazyHost(context);
}

/**
 * The editor waits a few seconds for this, or not at all: everything that counts is in the database already.
 */
export async function deactivate(): Promise<void> {
  const ending = host;
  host = undefined;
  await ending?.end();
}
