// Which files lint has to check again. What is found in a file depends on it and on everything it imports,
// directly or not, on what is known everywhere (`.d.ts` files, the configuration, the packages), and on
// nothing else; so that is what its key is a hash of.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import fs from 'node:fs'; // globSync by name would keep Node 20 from reading this file far enough to change over
import { dirname, join, posix } from 'node:path';
import { root } from './paths.mjs';

const cache = join(root, '.cache', 'lint.json');
const linted = ['{src,test,webview-ui}/**/*.{ts,tsx}', '.build/**/*.{mjs,cjs}', '.*.mts'];
const everywhere = [
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'webview-ui/tsconfig.json',
  '.oxlint.config.mts',
  '.build/{rooms,lint,lintCache}.mjs',
];
/**
 * Imports, re-exports, and types by `import()`. What it finds in texts and comments besides makes a key
 * longer, and nothing worse.
 */
const imported = /(?:\bfrom|\bimport|\bimport\(|\bpath=)\s*['"](\.[^'"]+)['"]/g;

const sha256 = (text) => createHash('sha256').update(text).digest('hex');
const globbed = (patterns) =>
  fs
    .globSync(patterns, { cwd: root, exclude: ['**/node_modules/**'] })
    .map((file) => file.replaceAll('\\', '/'));

/**
 * The files whose key isn't that of their last run without findings, and what to call when there were none
 * this time either.
 */
export function changedSince() {
  const files = globbed(linted).sort();
  const keys = keysOf(files, readText);
  const before = readCache();
  return {
    files: files.filter((file) => before[file] !== keys[file]),
    passed: () => {
      mkdirSync(dirname(cache), { recursive: true });
      writeFileSync(cache, JSON.stringify(keys));
    },
  };
}

/**
 * The key of each of these files. `read`: the text of a file, or nothing where there is none.
 * @param {readonly string[]} files
 * @param {(file: string) => string | undefined} read
 * @returns {Record<string, string>}
 */
export function keysOf(files, read) {
  const texts = new Map();
  const known = (file) => {
    if (!texts.has(file)) texts.set(file, { text: read(file), imports: undefined });
    const entry = texts.get(file);
    entry.hash ??= sha256(entry.text ?? '');
    entry.imports ??= [...(entry.text ?? '').matchAll(imported)].map(([, name]) =>
      posix.join(posix.dirname(file), name),
    );
    return entry;
  };
  const ambient = [
    ...globbed(everywhere),
    ...files.filter((file) => file.endsWith('.d.ts') || /\bdeclare (global|module)\b/.test(known(file).text)),
  ];
  const common = sha256(ambient.map((file) => known(file).hash).join());
  const keyOf = (file) => {
    const reached = new Set([file]);
    for (const next of reached) for (const name of known(next).imports) reached.add(name);
    return sha256([common, ...[...reached].sort().map((name) => `${name} ${known(name).hash}`)].join('\n'));
  };
  return Object.fromEntries(files.map((file) => [file, keyOf(file)]));
}

function readText(file) {
  try {
    return readFileSync(join(root, file), 'utf8');
  } catch {
    return undefined; // not a file of the project
  }
}

function readCache() {
  try {
    return JSON.parse(readFileSync(cache, 'utf8'));
  } catch {
    return {}; // none yet, or a damaged one
  }
}
