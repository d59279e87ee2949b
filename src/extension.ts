import { commands, type ExtensionContext, l10n, window } from 'vscode';
import { compose, type Host } from './host/compose.ts';

let host: Host | undefined;

export function activate(context: ExtensionContext): void {
  try {
    host = compose(context);
  } catch (error) {
    // Without a word people would see an empty view and commands that aren't found.
    void sayWhy(error);
    throw error;
  }
}

/** The editor waits a few seconds for this, or not at all: everything that counts is in the database already. */
export async function deactivate(): Promise<void> {
  const ending = host;
  host = undefined;
  await ending?.end();
}

async function sayWhy(error: unknown): Promise<void> {
  const reload = l10n.t('Reload Window');
  const reason = error instanceof Error ? error.message : String(error);
  const answer = await window.showErrorMessage(
    l10n.t('Beadsmith could not start: {0} Reload the window; if it happens again, report it with the extension host’s log.', reason),
    reload,
  );
  if (answer === reload) await commands.executeCommand('workbench.action.reloadWindow');
}
