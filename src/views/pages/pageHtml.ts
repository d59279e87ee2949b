interface PageHtml {
  readonly title: string;
  readonly language: string;
  readonly cspSource: string;
  readonly nonce: string;
  readonly script: string;
  readonly styles: string;
  readonly icons: string;
  readonly place: unknown;
  /** The person's language by English strings (`vscode.l10n.bundle`); undefined in English. */
  readonly strings: unknown;
}

/** Nothing runs or is styled in a page but our own files: no inline script, no inline style, no network. */
export function pageHtml(page: PageHtml): string {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${page.nonce}'`,
    `style-src ${page.cspSource}`,
    `font-src ${page.cspSource}`,
    `img-src ${page.cspSource}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="${escaped(page.language)}">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${escaped(policy)}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <link rel="stylesheet" href="${escaped(page.styles)}" />
    <link rel="stylesheet" id="vscode-codicon-stylesheet" href="${escaped(page.icons)}" />
    <title>${escaped(page.title)}</title>
  </head>
  <body data-place="${escaped(JSON.stringify(page.place))}">
    <div id="page"></div>${stringsOf(page)}
    <script type="module" nonce="${escaped(page.nonce)}" src="${escaped(page.script)}"></script>
  </body>
</html>
`;
}

/** A script of this type is data and never runs. What would end it is escaped as JSON allows. */
function stringsOf({ strings, nonce }: PageHtml): string {
  if (strings === undefined) return '';
  const json = JSON.stringify(strings).replaceAll('<', String.raw`\u003c`);
  return `\n    <script type="application/json" id="l10n" nonce="${escaped(nonce)}">${json}</script>`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${String(character.charCodeAt(0))};`);
}
