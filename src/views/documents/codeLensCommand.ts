import { type Command, l10n } from 'vscode';
import { CodeLensData, codeLensTexts } from '../../protocol/documentLinks.ts';
import { type DocumentAddress, fileOf } from '../../protocol/documents.ts';
import { commandId } from '../commands/commands.ts';

/**
 * Undefined for a CodeLens of another extension. The first parameter is the address of the document that
 * contains it.
 */
export function codeLensCommand(
  { scheme, authority, path }: Omit<DocumentAddress, 'query'>,
  data: unknown,
): Command | undefined {
  const read = CodeLensData.safeParse(data).data;
  if (!read) return undefined;
  const title = read.parts.map(({ code, args }) => l10n.t(codeLensTexts[code], args)).join(' · ');
  const file = read.opens && fileOf(read.opens.kind);
  if (!read.opens || file === undefined) return { title, command: '' };
  const [, ticket = ''] = path.split('/');
  const opened = { scheme, authority, path: `/${ticket}/${file}`, query: '', items: read.opens.items };
  return { title, command: commandId('showArtifact'), arguments: [opened] };
}
