// What the packages are made from. Of the extension, .vscodeignore names it, for the packager and for what
// fills the folder that it packs.
import { cpSync, readFileSync } from 'node:fs';
import fs from 'node:fs'; // globSync by name would keep Node 20 from reading this file far enough to change over
import { join } from 'node:path';
import { root } from './paths.mjs';

/** What the packages may have. Marketplaces and slow lines decide about the extension's. */
export const mostMegabytes = { extension: 3, cli: 2.25 };

/** What the command line's package has beside bundles: the texts to which it refers. */
export const cliFiles = ['README.md', 'CHANGELOG.md', 'LICENSE', 'docs/cli.md', 'docs/team.md'];

/**
 * The manifest of the command line's package. Nothing is to be installed with it, and `engines` says what
 * src/cli/nodeVersion.ts asks for.
 * @param {{ name: string, version: string } & Record<string, unknown>} manifest
 */
export function cliManifest({ name, version, license, type, bin }) {
  const description = 'Turns a ticket into a reviewed branch, on machines without an editor';
  const engines = { node: '^22.13.0 || >=23.4.0' };
  return { name: `${name}-cli`, version, description, license, type, bin, engines };
}

/** The patterns that .vscodeignore names: its lines with `!`, which win over all others. */
export function packedPatterns() {
  const lines = readFileSync(join(root, '.vscodeignore'), 'utf8').split('\n');
  return lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
}

/**
 * The files of a folder that are packed, as paths relative to it.
 * @param {string} folder
 * @returns {string[]}
 */
export function packedFiles(folder) {
  return filesOf(folder, packedPatterns());
}

/**
 * The files of a folder that would be left out.
 * @param {string} folder
 * @returns {string[]}
 */
export function unpackedFiles(folder) {
  const packed = new Set(packedFiles(folder));
  return filesOf(folder, ['**']).filter((file) => file !== '.vscodeignore' && !packed.has(file));
}

/**
 * Copies what is packed of the checkout, and the list itself. Bundles are left: those that ship are built for
 * it.
 * @param {string} from
 * @param {string} to
 */
export function copyPacked(from, to) {
  for (const file of ['.vscodeignore', ...packedFiles(from)])
    if (!file.startsWith('dist/')) cpSync(join(from, file), join(to, file));
}

function filesOf(folder, patterns) {
  const entries = fs
    .globSync(patterns, { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile());
  return entries
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    )
    .sort();
}
