import assert from 'node:assert/strict';
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';
import { outdatedPages } from '../../.build/docsTables.mjs';
import {
  frontDoor,
  maxColumns,
  maxFlat,
  maxLines,
  mostInCircles,
  owners,
  pageImports,
  rooms,
} from '../../.build/rooms.mjs';

const root = join(import.meta.dirname, '../..');
const text = (file: string): string => readFileSync(join(root, file), 'utf8');
const sources = globSync('src/**/*.ts', { cwd: root }).map((file) => file.replaceAll('\\', '/'));
/** Where build machines and shared disks keep their checkouts. */
const buildMachine = /(^|[\s"'`(=:])\/(work|farm|builds|buildkite|jenkins)\//m;
const roomOf = (file: string): string | undefined => /^src\/([^/]+)\//.exec(file)?.[1];

const imports = new Map<string, readonly string[]>();

/**
 * Static, re-exporting and dynamic imports alike; types count too, because a circle of types is still a
 * circle to read.
 */
function importsOf(file: string): readonly string[] {
  const found =
    imports.get(file) ?? ts.preProcessFile(text(file)).importedFiles.map((imported) => imported.fileName);
  imports.set(file, found);
  return found;
}

function neighboursOf(file: string): string[] {
  return importsOf(file)
    .filter((name) => name.startsWith('.'))
    .map((name) => relative(root, join(root, dirname(file), name)).replaceAll('\\', '/'));
}

describe('the house', () => {
  it('has only the rooms of the table', () => {
    const folders = readdirSync(join(root, 'src'), { withFileTypes: true });
    const strangers = folders.filter((entry) =>
      entry.isDirectory() ? !(entry.name in rooms) : entry.name !== frontDoor.file,
    );
    assert.deepEqual(
      strangers.map((entry) => entry.name),
      [],
    );
  });

  it('has a table whose arrows point down only', () => {
    const placed = new Set<string>();
    const left = new Map(Object.entries(rooms));
    while (left.size > 0) {
      const next = [...left].find(([, room]) => room.imports.every((name) => placed.has(name)));
      assert.ok(next, `these rooms import each other in a circle: ${[...left.keys()].join(', ')}`);
      placed.add(next[0]);
      left.delete(next[0]);
    }
  });

  it('keeps every import inside the arrows of the table', () => {
    const wrong = sources.flatMap((file) => {
      const room = roomOf(file);
      const allowed = room === undefined ? frontDoor.imports : [room, ...(rooms[room]?.imports ?? [])];
      return neighboursOf(file)
        .filter((target) => !allowed.includes(roomOf(target) ?? ''))
        .map((target) => `${file} → ${target}`);
    });
    assert.deepEqual(wrong, []);
  });

  it('keeps the folders of a room apart where the table names the one they share', () => {
    const wrong = sources.flatMap((file) => {
      const [, room, folder] = /^src\/([^/]+)\/([^/]+)\//.exec(file) ?? [];
      const shared = rooms[room ?? '']?.shared;
      if (shared === undefined) return [];
      return neighboursOf(file)
        .filter((target) => {
          const [, other, there] = /^src\/([^/]+)\/([^/]+)\//.exec(target) ?? [];
          return other === room && there !== undefined && there !== folder && there !== shared;
        })
        .map((target) => `${file} → ${target}`);
    });
    assert.deepEqual(wrong, []);
  });

  it('lets only those packages and built-ins in that a room may use', () => {
    const wrong = sources.flatMap((file) => {
      const room = rooms[roomOf(file) ?? ''] ?? { vscode: true, node: false };
      return importsOf(file)
        .filter((name) => !name.startsWith('.'))
        .filter((name) => {
          if (name === 'vscode') return !room.vscode;
          const owner = Object.entries(owners).find(
            ([owned]) => name === owned || name.startsWith(`${owned}/`),
          );
          if (owner) return !owner[1].some((place) => file.startsWith(`src/${place}/`));
          return name.startsWith('node:') && !room.node;
        })
        .map((name) => `${file} → ${name}`);
    });
    assert.deepEqual(wrong, []);
  });

  it('lets pages know nothing of the extension but words, helpers and what things are', () => {
    const pages = globSync('webview-ui/**/*.{ts,tsx}', { cwd: root }).map((file) =>
      file.replaceAll('\\', '/'),
    );
    assert.ok(pages.length > 0);
    const wrong = pages.flatMap((file) => {
      const strangers = neighboursOf(file).filter(
        (target) => !target.startsWith('webview-ui/') && !pageImports.includes(roomOf(target) ?? ''),
      );
      const packages = importsOf(file).filter((name) => name === 'vscode' || name.startsWith('node:'));
      return [...strangers, ...packages].map((target) => `${file} → ${target}`);
    });
    assert.deepEqual(wrong, []);
  });

  it('has no circle of imports', () => {
    const done = new Set<string>();
    const circles: string[] = [];
    const walk = (file: string, trail: readonly string[]): void => {
      const at = trail.indexOf(file);
      if (at !== -1) circles.push([...trail.slice(at), file].join(' → '));
      if (at !== -1 || done.has(file)) return;
      for (const next of neighboursOf(file)) if (sources.includes(next)) walk(next, [...trail, file]);
      done.add(file);
    };
    for (const file of sources) walk(file, []);
    assert.deepEqual(circles, []);
  });

  it(`has at most ${String(mostInCircles)} folders in circles, and only lets them fall`, () => {
    const folders = new Map<string, Set<string>>();
    for (const file of sources) {
      const folder = dirname(file);
      const targets = neighboursOf(file).map((target) => dirname(target));
      const known = folders.get(folder) ?? new Set();
      for (const target of targets) if (target !== folder) known.add(target);
      folders.set(folder, known);
    }
    const circles = circlesIn(folders);
    const shown = circles.map((circle) => circle.join(' '));
    assert.ok(circles.flat().length <= mostInCircles, shown.join('\n'));
    assert.equal(circles.flat().length, mostInCircles, 'Fewer now: lower mostInCircles in .build/rooms.mjs');
  });

  it('imports files that exist, by their whole name', () => {
    const missing = sources.flatMap((file) =>
      neighboursOf(file)
        .filter((target) => !existsSync(join(root, target)) || !/\.(ts|json)$/.test(target))
        .map((target) => `${file} → ${target}`),
    );
    assert.deepEqual(missing, []);
  });

  it(`keeps every source file at ${String(maxLines)} lines or fewer`, () => {
    const long = sources.filter((file) => text(file).trimEnd().split('\n').length > maxLines);
    assert.deepEqual(long, []);
  });

  it(`wraps comments at ${String(maxColumns)} columns`, () => {
    const files = globSync('{src,webview-ui,test}/**/*.{ts,tsx}', { cwd: root }).filter(
      // The demo holds the texts of files that it writes.
      (file) => !file.replaceAll('\\', '/').startsWith('src/demo/'),
    );
    const wide = files.flatMap((file) =>
      text(file)
        .split('\n')
        .flatMap((line, index) =>
          line.length > maxColumns && /^\s*(?:\/\/|\/\*\*|\*) /.test(line) && !/^\s*\S+ \S+$/.test(line)
            ? [`${file}:${String(index + 1)}`]
            : [],
        ),
    );
    assert.deepEqual(wide, []);
  });

  it(`lets at most ${String(maxFlat)} files lie flat in a folder`, () => {
    const files = ['src', 'webview-ui', 'test'].flatMap((top) =>
      globSync(`${top}/**/*.{ts,tsx,mjs,css}`, { cwd: root }),
    );
    const counts = Map.groupBy(files, (file) => dirname(file));
    const full = [...counts]
      .filter(([, lying]) => lying.length > maxFlat)
      .map(([folder, lying]) => `${folder}: ${String(lying.length)}`);
    assert.deepEqual(full, []);
  });

  it('has no default exports', () => {
    assert.deepEqual(
      sources.filter((file) => /^export default\b/m.test(text(file))),
      [],
    );
  });

  it('has nothing at the top that the map does not name', () => {
    const known = [
      'package.json',
      'package-lock.json',
      'package.nls.json',
      'tsconfig.json',
      'README.md',
      'CHANGELOG.md',
      'LICENSE',
    ];
    const folders = ['src', 'media', 'l10n', 'webview-ui', 'prompts', 'test', 'docs', 'dist', 'node_modules'];
    const packed = /\.(?:vsix|tgz)$|^sbom\.cdx\.json$|^SHA256SUMS$/;
    const names = readdirSync(root).filter((name) => !name.startsWith('.') && !packed.test(name));
    assert.deepEqual(
      names.filter((name) => ![...known, ...folders].includes(name)),
      [],
    );
  });

  it('pins every dependency exactly, and lets no lock entry name a registry', () => {
    const manifest = JSON.parse(text('package.json')) as {
      devDependencies: Record<string, string>;
      dependencies?: Record<string, string>;
    };
    const loose = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies }).filter(
      ([, version]) => !/^\d+\.\d+\.\d+$/.test(version),
    );
    assert.deepEqual(loose, []);
    assert.doesNotMatch(text('package-lock.json'), /"resolved"/);
  });

  it('has one version of OpenCode: the pin, its SDK and the adapter agree', () => {
    const { opencode, ripgrep } = JSON.parse(text('.build/pins.json')) as {
      opencode: string;
      ripgrep: string;
    };
    const manifest = JSON.parse(text('package.json')) as { devDependencies: Record<string, string> };
    assert.equal(manifest.devDependencies['@opencode-ai/sdk'], opencode);
    const adapter = sources.filter((file) => file.startsWith('src/adapters/opencode/')).map(text);
    const named = adapter.flatMap((source) =>
      [...source.matchAll(/['"](\d+\.\d+\.\d+)['"]/g)].map((match) => match[1]),
    );
    // Ripgrep is installed beside it.
    assert.deepEqual(
      named.filter((version) => version !== opencode && version !== ripgrep),
      [],
    );
  });

  it('names no path of the machine it was written on', () => {
    const files = globSync(
      ['{src,test,prompts,docs,webview-ui,.build,.github,.ci}/**/*.*', '*.{json,md}', '.*.{mjs,mts,json}'],
      {
        cwd: root,
      },
    );
    const guilty = files.filter((file) => !/\.(png|db|zip)$/.test(file) && !file.includes('node_modules'));
    assert.deepEqual(
      guilty.filter((file) => buildMachine.test(text(file))),
      [],
    );
  });

  it('prints the statuses and the rooms on their pages as they are (node .build/docsTables.mjs)', async () => {
    assert.deepEqual(
      (await outdatedPages()).map(({ name }) => name),
      [],
    );
  });
});

/** Groups of two or more nodes that all lead to each other (Tarjan). */
function circlesIn(graph: ReadonlyMap<string, ReadonlySet<string>>): readonly (readonly string[])[] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const circles: string[][] = [];
  const visit = (node: string): void => {
    const at = order.size;
    order.set(node, at);
    lowest.set(node, at);
    open.push(node);
    for (const next of graph.get(node) ?? []) {
      if (!order.has(next)) visit(next);
      else if (!open.includes(next)) continue;
      lowest.set(node, Math.min(lowest.get(node) ?? at, lowest.get(next) ?? at));
    }
    if (lowest.get(node) !== at) return;
    const circle = open.splice(open.indexOf(node));
    if (circle.length > 1) circles.push(circle.toSorted());
  };
  for (const node of graph.keys()) if (!order.has(node)) visit(node);
  return circles;
}
