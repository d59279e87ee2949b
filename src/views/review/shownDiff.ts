import { TabInputText, TabInputTextDiff, window } from 'vscode';
import * as z from 'zod';
import type { DocumentAddress } from '../../protocol/documents.ts';
import { aroundFile, parseShownDiff } from './blobAddress.ts';

const Address = z.object({ scheme: z.string(), authority: z.string(), path: z.string(), query: z.string() });
/** As the editor gives the tab of a diff of several files: those that have both sides. */
const Several = z.object({ textDiffs: z.array(z.object({ modified: Address })) });

/** The diff in front, for a command that comes without an address: by a key, or from the palette. */
export function shownDiff(): DocumentAddress | undefined {
  const input: unknown = window.tabGroups.activeTabGroup.activeTab?.input;
  if (input instanceof TabInputTextDiff) return input.modified;
  if (input instanceof TabInputText) return input.uri;
  const several = Several.safeParse(input);
  if (!several.success) return undefined;
  // Files that were added or deleted are only in the editors that are on the screen.
  const { activeTextEditor: active, visibleTextEditors: visible } = window;
  const onScreen = [...(active ? [active] : []), ...visible].map(({ document }) => document.uri);
  const files = [...several.data.textDiffs.map(({ modified }) => modified), ...onScreen];
  const ours = files.filter((file) => parseShownDiff(file));
  const named = ours.find((file) => parseShownDiff(file)?.commit !== undefined) ?? ours[0];
  return named && aroundFile(named);
}
