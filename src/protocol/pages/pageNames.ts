/**
 * The kinds of pages: the folder of each in `webview-ui/`, and the last part of its webview's type
 * `beadsmith.<name>`.
 */
export const pageNames = ['interview', 'approval', 'ticket'] as const;

/** The name of a page. */
export type PageName = (typeof pageNames)[number];

/** The type by which the editor keeps the panels of a page. */
export function pageType(name: PageName): `beadsmith.${PageName}` {
  return `beadsmith.${name}`;
}
