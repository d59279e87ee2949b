import { commands, workspace } from 'vscode';
import { commandId } from '../../views/commands/commands.ts';
import { untilTrusted } from '../../views/demo/untilTrusted.ts';
import { focusView } from '../../views/tickets/ticketsViewId.ts';
import { findRepository } from '../repositories/findRepository.ts';
import type { Demos } from './demos.ts';

/**
 * Continues the ticket of a demo that was opened to see it run: shows the view, and starts once the folder is
 * trusted. Any other time a demo is opened, nothing happens by itself.
 */
export async function goOnWithExpectedDemo(demos: Demos): Promise<void> {
  const folders = (workspace.workspaceFolders ?? [])
    .filter(({ uri }) => uri.scheme === 'file')
    .map(({ uri }) => uri.fsPath);
  for (const folder of folders) {
    const root = await findRepository(folder);
    const demo = root === undefined ? undefined : await demos.of(root);
    if (!demo || !(await demos.isExpected(demo))) continue;
    await commands.executeCommand(focusView);
    await untilTrusted();
    if (await demos.takeExpected(demo)) await commands.executeCommand(commandId('tryDemo'));
  }
}
