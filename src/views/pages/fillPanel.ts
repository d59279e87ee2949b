import { env, l10n, Uri, type WebviewPanel } from 'vscode';
import { toBeadsmithError } from '../../domain/core/errors.ts';
import type { PageError, PagePlace } from '../../protocol/pages/frame.ts';
import { errorText, RefusedAction } from '../shared/errorText.ts';
import { pageHtml } from './pageHtml.ts';

/** The icon and the content of a panel. `name`: the page's folder of `webview-ui/`. */
export function fillPanel(
  panel: WebviewPanel,
  extension: Uri,
  { name, title, place }: { readonly name: string; readonly title: string; readonly place: PagePlace },
): void {
  const { webview } = panel;
  const media = Uri.joinPath(extension, 'media');
  const file = (asset: string): string =>
    webview.asWebviewUri(Uri.joinPath(extension, 'dist', 'webview', asset)).toString();
  panel.iconPath = {
    light: Uri.joinPath(media, 'beads-light.svg'),
    dark: Uri.joinPath(media, 'beads-dark.svg'),
  };
  webview.html = pageHtml({
    title,
    language: env.language,
    cspSource: webview.cspSource,
    nonce: crypto.randomUUID().replaceAll('-', ''),
    script: file(`${name}.js`),
    styles: file(`${name}.css`),
    icons: file('codicon.css'),
    place,
    strings: l10n.bundle,
  });
}

/** Scripts run, and nothing but the pages' own files is read. */
export function panelOptions(extension: Uri): {
  readonly enableScripts: true;
  readonly localResourceRoots: readonly Uri[];
} {
  return { enableScripts: true, localResourceRoots: [Uri.joinPath(extension, 'dist', 'webview')] };
}

/** An error as a page shows it. */
export function pageError(thrown: unknown): PageError {
  const code = thrown instanceof RefusedAction ? thrown.code : toBeadsmithError(thrown).code;
  return { code, ...errorText(thrown) };
}
