/** The kinds of pages: folders of `webview-ui/`, and last parts of types `beadsmith.<name>`. */
export const pageNames = ['interview', 'approval', 'ticket'] as const;

/** The name of a page. */
export type PageName = (typeof pageNames)[number];

/** The type by which the editor keeps the panels of a page. */
export function pageType(name: PageName): `beadsmith.${PageName}` {
  return `beadsmith.${name}`;
}
