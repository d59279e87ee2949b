// Prints what the house tests count, as numbers: how large the code is, and what people meet. `npm run house`.
import { readFileSync } from 'node:fs';
import fs from 'node:fs'; // globSync by name would keep Node 20 from reading this file far enough to change over
import { join } from 'node:path';
import { ensureNode24 } from './node24.mjs';
import { root } from './paths.mjs';
import { sameShapes } from './sameShapes.mjs';

ensureNode24();
const { aboutOf, commandNames, paletteWhen } = await import('../src/views/commands/commands.ts');
const { settingNames } = await import('../src/domain/settings/rows.ts');
const { mostInCircles } = await import('./rooms.mjs');

/**
 * A line of code was this wide before; sizes are compared at that width. Objects that today's width broke
 * would stay broken if they weren't collapsed.
 */
const former = { printWidth: 140, objectWrap: 'collapse' };
const read = (file) => readFileSync(join(root, file), 'utf8');
const files = (...patterns) => fs.globSync(patterns, { cwd: root });
const sources = files('src/**/*.ts', 'webview-ui/**/*.{ts,tsx}');
const tests = files('test/**/*.ts');
const lines = (text) => text.trimEnd().split('\n').length;
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

const prettier = await import('prettier');
const { prettier: style } = JSON.parse(read('package.json'));
const formerLines = await Promise.all(
  sources.map(async (file) =>
    lines(await prettier.format(read(file), { ...style, ...former, filepath: file })),
  ),
);
const manifest = JSON.parse(read('package.json'));
const { configuration, commands, menus } = manifest.contributes;
const generated = sum([configuration, commands, menus].map((part) => lines(JSON.stringify(part, null, 2))));
const folders = new Set(files('src/**/*.ts').map((file) => file.replace(/\/[^/]+$/, '')));

const shapes = await sameShapes();
const rows = [
  ['lines of source, at 140 columns', sum(formerLines)],
  ['bytes of source', sum(sources.map((file) => Buffer.byteLength(read(file))))],
  ['files of source', sources.length],
  ['lines of tests', sum(tests.map((file) => lines(read(file))))],
  ['folders', folders.size],
  ['folders in circles', mostInCircles],
  ['pairs of types of the same shape', sum(shapes.map(({ length }) => (length * (length - 1)) / 2))],
  ['settings', settingNames.length],
  ['commands', commandNames.length],
  ['commands in the palette', commandNames.filter((name) => paletteWhen(name) !== 'false').length],
  ['commands with a sentence', commandNames.filter(aboutOf).length],
  ['lines of the manifest by hand', lines(read('package.json')) - generated],
];
for (const [what, count] of rows)
  console.log(`${what.padEnd(34)} ${count.toLocaleString('en-US').padStart(12)}`);
