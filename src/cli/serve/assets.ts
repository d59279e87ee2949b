import { readFile } from 'node:fs/promises';

export interface Asset {
  readonly type: string;
  readonly content: string | Buffer;
}

const types = {
  'main.js': 'text/javascript; charset=utf-8',
  'main.css': 'text/css; charset=utf-8',
} as const;

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Beadsmith</title>
<link rel="stylesheet" href="/main.css">
<script type="module" src="/main.js"></script>
</head>
<body><div id="page"></div><noscript>Beadsmith needs JavaScript.</noscript></body>
</html>
`;

/** The page and what it loads, by path: a request names one of these, and no file. */
export async function readAssets(folder: URL): Promise<ReadonlyMap<string, Asset>> {
  const files = await Promise.all(
    Object.entries(types).map(
      async ([name, type]) => [`/${name}`, { type, content: await readFile(new URL(name, folder)) }] as const,
    ),
  );
  return new Map<string, Asset>([['/', { type: 'text/html; charset=utf-8', content: page }], ...files]);
}
