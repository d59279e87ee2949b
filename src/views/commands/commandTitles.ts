import { l10n } from 'vscode';
import { type CommandName, commandRow } from './commands.ts';

/** A command as a choice in a list: its title with its icon, and a sentence. */
export function commandTitle(name: CommandName): { readonly label: string; readonly detail?: string } {
  const { title, icon, about } = commandRow(name);
  const label = icon === undefined ? l10n.t(title) : `$(${icon}) ${l10n.t(title)}`;
  return { label, ...(about === undefined ? {} : { detail: l10n.t(about) }) };
}
