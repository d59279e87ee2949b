/**
 * The sample repository: a small real JavaScript library with its own passing tests, by path. Its ticket is
 * in sample/ticket.ts. Written out here, so that it travels inside every bundle.
 */
export const sampleRepository: Readonly<Record<string, string>> = {
  'package.json': `{
  "name": "stockroom",
  "version": "1.4.0",
  "description": "Keeps count of what lies on which shelf, and reports about it.",
  "type": "module",
  "private": true,
  "exports": "./src/index.js",
  "bin": { "stockroom": "./src/cli.js" },
  "scripts": { "test": "node --test" },
  "engines": { "node": ">=20" }
}
`,

  'README.md': `# stockroom

Keeps count of what lies on which shelf, and reports about it. Plain JavaScript, no dependencies.

\`\`\`js
import { Inventory, buildReport, formatText } from 'stockroom';

const inventory = new Inventory();
inventory.add({ sku: 'BOLT-M8', name: 'Bolt M8', category: 'fasteners', shelf: 'A1', quantity: 120, priceCents: 12 });
console.log(formatText(buildReport(inventory)));
\`\`\`

From the command line:

\`\`\`
stockroom report data/sample.json
\`\`\`

## Reports

A report has one row an item, sorted by SKU, and totals. Prices are whole cents everywhere; only the formatter turns them into text.

## Development

\`npm test\` runs everything in \`test/\` with Node's own runner.
`,

  'AGENTS.md': `# Rules for work in this repository

- Plain ES modules for Node 20. No dependencies, no build step.
- Money is whole cents. Only \`src/money.js\` and the formatters turn it into text.
- A module exports one thing and has a test of the same name in \`test/\`.
- Functions don't print; only \`src/cli.js\` does.
- What a user can call is exported from \`src/index.js\` and named in README.md.
`,

  '.gitignore': `node_modules/
*.log
`,

  'src/item.js': `/**
 * Checks and freezes an item. Throws a TypeError that names the field that is wrong.
 *
 * @param {{ sku: string, name: string, category: string, shelf: string, quantity: number, priceCents: number }} fields
 */
export function createItem({ sku, name, category, shelf, quantity, priceCents }) {
  for (const [field, value] of Object.entries({ sku, name, category, shelf })) {
    if (typeof value !== 'string' || value.trim() === '') throw new TypeError(\`An item needs a \${field}.\`);
  }
  for (const [field, value] of Object.entries({ quantity, priceCents })) {
    if (!Number.isInteger(value) || value < 0) throw new TypeError(\`\${field} of \${sku} is not a whole number of at least 0.\`);
  }
  return Object.freeze({ sku, name, category, shelf, quantity, priceCents });
}
`,

  'src/inventory.js': `import { createItem } from './item.js';

/** All items by SKU. */
export class Inventory {
  #items = new Map();

  add(fields) {
    const item = createItem(fields);
    if (this.#items.has(item.sku)) throw new RangeError(\`\${item.sku} is there already.\`);
    this.#items.set(item.sku, item);
    return item;
  }

  /** Puts in (or, with a negative number, takes out) some of an item. There is never less than nothing. */
  change(sku, by) {
    const item = this.get(sku);
    const changed = createItem({ ...item, quantity: Math.max(0, item.quantity + by) });
    this.#items.set(sku, changed);
    return changed;
  }

  get(sku) {
    const item = this.#items.get(sku);
    if (item === undefined) throw new RangeError(\`There is no \${sku}.\`);
    return item;
  }

  /** Sorted by SKU. */
  list() {
    return [...this.#items.values()].sort((a, b) => (a.sku < b.sku ? -1 : 1));
  }
}
`,

  'src/money.js': `/** \`123456\` as \`1234.56\`. */
export function formatCents(cents) {
  return \`\${Math.trunc(cents / 100)}.\${String(cents % 100).padStart(2, '0')}\`;
}
`,

  'src/report.js': `/**
 * One row an item, sorted by SKU, and totals. All money is in cents.
 *
 * @param {import('./inventory.js').Inventory} inventory
 */
export function buildReport(inventory) {
  const rows = inventory.list().map((item) => ({ ...item, valueCents: item.quantity * item.priceCents }));
  return { rows, totals: totalsOf(rows) };
}

export function totalsOf(rows) {
  return {
    items: rows.length,
    quantity: rows.reduce((sum, row) => sum + row.quantity, 0),
    valueCents: rows.reduce((sum, row) => sum + row.valueCents, 0),
  };
}
`,

  'src/formatText.js': `import { formatCents } from './money.js';

/** A report as an aligned table for terminals. */
export function formatText({ rows, totals }) {
  const cells = rows.map((row) => [row.sku, row.name, row.category, row.shelf, String(row.quantity), formatCents(row.valueCents)]);
  const table = [['SKU', 'Name', 'Category', 'Shelf', 'Quantity', 'Value'], ...cells];
  const widths = table[0].map((_, column) => Math.max(...table.map((line) => line[column].length)));
  const lines = table.map((line) => line.map((cell, column) => cell.padEnd(widths[column])).join('  ').trimEnd());
  return [...lines, '', \`\${totals.items} items, \${totals.quantity} pieces, worth \${formatCents(totals.valueCents)}\`].join('\\n');
}
`,

  'src/loadInventory.js': `import { readFile } from 'node:fs/promises';
import { Inventory } from './inventory.js';

/** Reads an inventory from a JSON file: a list of items. */
export async function loadInventory(path) {
  const items = JSON.parse(await readFile(path, 'utf8'));
  if (!Array.isArray(items)) throw new TypeError(\`\${path} does not hold a list of items.\`);
  const inventory = new Inventory();
  for (const item of items) inventory.add(item);
  return inventory;
}
`,

  'src/cli.js': `#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { formatText } from './formatText.js';
import { loadInventory } from './loadInventory.js';
import { buildReport } from './report.js';

const usage = 'usage: stockroom report FILE';

try {
  const { positionals } = parseArgs({ allowPositionals: true, options: {} });
  const [command, file] = positionals;
  if (command !== 'report' || file === undefined) throw new Error(usage);
  console.log(formatText(buildReport(await loadInventory(file))));
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
`,

  'src/index.js': `export { formatText } from './formatText.js';
export { Inventory } from './inventory.js';
export { createItem } from './item.js';
export { loadInventory } from './loadInventory.js';
export { formatCents } from './money.js';
export { buildReport } from './report.js';
`,

  'data/sample.json': `[
  { "sku": "BOLT-M8", "name": "Bolt M8", "category": "fasteners", "shelf": "A1", "quantity": 120, "priceCents": 12 },
  { "sku": "GLUE-250", "name": "Wood glue, 250 ml", "category": "chemicals", "shelf": "C3", "quantity": 8, "priceCents": 549 },
  { "sku": "NUT-M8", "name": "Nut M8", "category": "fasteners", "shelf": "A1", "quantity": 4, "priceCents": 7 },
  { "sku": "TAPE-2", "name": "Tape 2\\" wide", "category": "adhesives", "shelf": "C3", "quantity": 0, "priceCents": 399 }
]
`,

  'test/item.test.js': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createItem } from '../src/item.js';

const bolt = { sku: 'BOLT-M8', name: 'Bolt M8', category: 'fasteners', shelf: 'A1', quantity: 120, priceCents: 12 };

test('an item keeps its fields and cannot be changed', () => {
  assert.deepEqual({ ...createItem(bolt) }, bolt);
  assert.throws(() => (createItem(bolt).quantity = 1), TypeError);
});

test('a wrong field is named', () => {
  assert.throws(() => createItem({ ...bolt, name: ' ' }), /needs a name/);
  assert.throws(() => createItem({ ...bolt, quantity: 1.5 }), /quantity of BOLT-M8/);
});
`,

  'test/inventory.test.js': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Inventory } from '../src/inventory.js';

const item = (sku, quantity = 1) => ({ sku, name: sku, category: 'things', shelf: 'A1', quantity, priceCents: 10 });

test('items are listed by SKU', () => {
  const inventory = new Inventory();
  for (const sku of ['C', 'A', 'B']) inventory.add(item(sku));
  assert.deepEqual(inventory.list().map(({ sku }) => sku), ['A', 'B', 'C']);
});

test('nothing is added twice, and nothing can be taken that is not there', () => {
  const inventory = new Inventory();
  inventory.add(item('A', 3));
  assert.throws(() => inventory.add(item('A')), /there already/);
  assert.equal(inventory.change('A', -5).quantity, 0);
  assert.throws(() => inventory.get('B'), /no B/);
});
`,

  'test/money.test.js': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatCents } from '../src/money.js';

test('cents are written with two digits', () => {
  assert.equal(formatCents(0), '0.00');
  assert.equal(formatCents(123456), '1234.56');
  assert.equal(formatCents(5), '0.05');
});
`,

  'test/report.test.js': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Inventory } from '../src/inventory.js';
import { buildReport } from '../src/report.js';

test('a report has a row an item and totals', () => {
  const inventory = new Inventory();
  inventory.add({ sku: 'NUT', name: 'Nut', category: 'fasteners', shelf: 'A1', quantity: 4, priceCents: 7 });
  inventory.add({ sku: 'BOLT', name: 'Bolt', category: 'fasteners', shelf: 'A1', quantity: 10, priceCents: 12 });
  const { rows, totals } = buildReport(inventory);
  assert.deepEqual(rows.map((row) => [row.sku, row.valueCents]), [['BOLT', 120], ['NUT', 28]]);
  assert.deepEqual(totals, { items: 2, quantity: 14, valueCents: 148 });
});
`,

  'test/formatText.test.js': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatText } from '../src/formatText.js';
import { loadInventory } from '../src/loadInventory.js';
import { buildReport } from '../src/report.js';

test('the sample inventory as a table', async () => {
  const text = formatText(buildReport(await loadInventory(new URL('../data/sample.json', import.meta.url))));
  assert.match(text, /^SKU +Name +Category +Shelf +Quantity +Value$/m);
  assert.match(text, /^NUT-M8 +Nut M8 +fasteners +A1 +4 +0\\.28$/m);
  assert.match(text, /^4 items, 132 pieces, worth 58\\.60$/m);
});
`,
};
