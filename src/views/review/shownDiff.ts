import { TabInputText, TabInputTextDiff, type Uri, window } from 'vscode';
import * as z from 'zod';
import type { DocumentAddress } from '../../protocol/documents.ts';
import { aroundFile, parseShownDiff } from './blobAddress.ts';

const Address = z.object({ scheme: z.string(), authority: z.string(), path: z.string(), query: z.string() });
/** As the editor gives the tab of a diff of several files. */
const Several = z.object({
  textDiffs: z.array(z.object({ original: Address.optional(), modified: Address.optional() })),
});

/** The diff in front, for a command that comes without an address: by a key, or from the palette. */
export function shownDiff(): Uri | DocumentAddress | undefined {
  const input: unknown = window.tabGroups.activeTabGroup.activeTab?.input;
  if (input instanceof TabInputTextDiff) return input.modified;
  if (input instanceof TabInputText) return input.uri;
  const several = Several.safeParse(input);
  const files = (several.data?.textDiffs ?? []).flatMap(
    ({ original, modified }) => modified ?? original ?? [],
  );
  const named = files.find((file) => parseShownDiff(file)?.commit !== undefined) ?? files[0];
  return named && aroundFile(named);
}
