import { l10n } from 'vscode';
import { aboutOf, type CommandName, commandRow } from './commands.ts';

export function commandTitle(name: CommandName): { readonly label: string; readonly detail?: string } {
  const { title, icon } = commandRow(name);
  const about = aboutOf(name);
  const label = icon === undefined ? l10n.t(title) : `$(${icon}) ${l10n.t(title)}`;
  return { label, ...(about === undefined ? {} : { detail: l10n.t(about) }) };
}

/** Without the sign that something is asked. */
export function plainTitle(name: CommandName): string {
  return l10n.t(commandRow(name).title).replace(/…$/, '');
}
