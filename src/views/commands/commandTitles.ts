import { l10n } from 'vscode';
import { aboutOf, type CommandName, commandRow } from './commands.ts';

/** A command as a choice in a list: its title with its icon, and a sentence. */
export function commandTitle(name: CommandName): { readonly label: string; readonly detail?: string } {
  const { title, icon } = commandRow(name);
  const about = aboutOf(name);
  const label = icon === undefined ? l10n.t(title) : `$(${icon}) ${l10n.t(title)}`;
  return { label, ...(about === undefined ? {} : { detail: l10n.t(about) }) };
}

/** A command's title as the title of an input: without the sign that something is asked. */
export function plainTitle(name: CommandName): string {
  return l10n.t(commandRow(name).title).replace(/…$/, '');
}
