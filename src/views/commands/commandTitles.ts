import { l10n } from 'vscode';
import { aboutOf, type CommandName, commandRow } from './commands.ts';

export function commandTitle(name: CommandName): { readonly label: string; readonly detail?: string } {
  const { icon } = commandRow(name);
  const about = aboutOf(name);
  const label = icon === undefined ? buttonTitle(name) : `$(${icon}) ${buttonTitle(name)}`;
  return { label, ...(about === undefined ? {} : { detail: l10n.t(about) }) };
}

export function buttonTitle(name: CommandName): string {
  return l10n.t(commandRow(name).title);
}

/** Without the sign that something is asked. */
export function plainTitle(name: CommandName): string {
  return buttonTitle(name).replace(/…$/, '');
}
