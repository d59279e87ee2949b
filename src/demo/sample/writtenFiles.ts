/** The files that the demo's coder writes, by path: a real implementation of the sample ticket. */
export const writtenFiles = {
  'src/filterRows.js': `const filters = {
  category: (row, wanted) => row.category.toLowerCase() === wanted.toLowerCase(),
  shelf: (row, wanted) => row.shelf === wanted,
  maxQuantity: (row, wanted) => row.quantity <= wanted,
};

/**
 * The rows that pass every filter given: \`category\` in any letter case, \`shelf\`, and \`maxQuantity\` for what runs low.
 * Throws a TypeError for a filter that does not exist, so that a slip never exports everything.
 */
export function filterRows(rows, wanted = {}) {
  for (const name of Object.keys(wanted)) {
    if (!Object.hasOwn(filters, name)) throw new TypeError(\`There is no filter "\${name}".\`);
  }
  const active = Object.entries(wanted).filter(([, value]) => value !== undefined);
  return rows.filter((row) => active.every(([name, value]) => filters[name](row, value)));
}
`,

  'test/filterRows.test.js': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filterRows } from '../src/filterRows.js';
import { loadInventory } from '../src/loadInventory.js';
import { buildReport } from '../src/report.js';

const inventory = await loadInventory(new URL('../data/sample.json', import.meta.url));
const skus = ({ rows }) => rows.map(({ sku }) => sku);

test('without a filter everything stays', () => {
  assert.equal(buildReport(inventory).rows.length, 4);
  assert.equal(buildReport(inventory, { shelf: undefined }).rows.length, 4);
});

test('all filters must be passed', () => {
  assert.deepEqual(skus(buildReport(inventory, { category: 'Fasteners' })), ['BOLT-M8', 'NUT-M8']);
  assert.deepEqual(skus(buildReport(inventory, { category: 'fasteners', maxQuantity: 10 })), ['NUT-M8']);
  assert.deepEqual(skus(buildReport(inventory, { shelf: 'C3', maxQuantity: 0 })), ['TAPE-2']);
});

test('totals speak of the rows that are left', () => {
  assert.deepEqual(buildReport(inventory, { shelf: 'A1' }).totals, { items: 2, quantity: 124, valueCents: 1468 });
});

test('an unknown filter is an error', () => {
  assert.throws(() => filterRows([], { colour: 'red' }), /no filter "colour"/);
});
`,

  'src/csv.js': `/**
 * Rows as CSV after RFC 4180: a header, commas, CRLF line ends, quotes where they are needed.
 * A text that a spreadsheet would take for a formula gets an apostrophe in front.
 *
 * @param {readonly { title: string, value: (row: any) => string | number }[]} columns
 */
export function toCsv(columns, rows) {
  const lines = [columns.map(({ title }) => title), ...rows.map((row) => columns.map(({ value }) => value(row)))];
  return lines.map((cells) => \`\${cells.map(encodeCell).join(',')}\\r\\n\`).join('');
}

function encodeCell(value) {
  const text = typeof value === 'string' && /^[=+\\-@\\t\\r]/.test(value) ? \`'\${value}\` : String(value);
  return /[",\\r\\n]/.test(text) ? \`"\${text.replaceAll('"', '""')}"\` : text;
}
`,

  'test/csv.test.js': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toCsv } from '../src/csv.js';

const columns = [
  { title: 'Name', value: (row) => row.name },
  { title: 'Count', value: (row) => row.count },
];

test('a header, then a line a row, ended by CRLF', () => {
  assert.equal(toCsv(columns, [{ name: 'Bolt', count: 3 }]), 'Name,Count\\r\\nBolt,3\\r\\n');
  assert.equal(toCsv(columns, []), 'Name,Count\\r\\n');
});

test('commas, quotes and line ends are quoted, quotes doubled', () => {
  assert.equal(toCsv(columns, [{ name: 'Glue, 250 ml', count: 1 }]), 'Name,Count\\r\\n"Glue, 250 ml",1\\r\\n');
  assert.equal(toCsv(columns, [{ name: 'Tape 2" wide', count: 1 }]), 'Name,Count\\r\\n"Tape 2"" wide",1\\r\\n');
  assert.equal(toCsv(columns, [{ name: 'two\\nlines', count: 1 }]), 'Name,Count\\r\\n"two\\nlines",1\\r\\n');
});

test('a name is never a formula, a number stays a number', () => {
  assert.equal(toCsv(columns, [{ name: '=1+1', count: -1 }]), "Name,Count\\r\\n'=1+1,-1\\r\\n");
  assert.equal(toCsv(columns, [{ name: '@cmd, x', count: 0 }]), 'Name,Count\\r\\n"\\'@cmd, x",0\\r\\n');
});
`,

  'src/formatCsv.js': `import { toCsv } from './csv.js';
import { formatCents } from './money.js';

const columns = [
  { title: 'SKU', value: (row) => row.sku },
  { title: 'Name', value: (row) => row.name },
  { title: 'Category', value: (row) => row.category },
  { title: 'Shelf', value: (row) => row.shelf },
  { title: 'Quantity', value: (row) => row.quantity },
  { title: 'Value', value: (row) => formatCents(row.valueCents) },
];

/** A report as CSV, with the columns of the text table. Totals are left to the spreadsheet. */
export function formatCsv({ rows }) {
  return toCsv(columns, rows);
}
`,

  'test/formatCsv.test.js': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildReport, formatCsv, loadInventory } from '../src/index.js';

test('a filtered report as CSV', async () => {
  const inventory = await loadInventory(new URL('../data/sample.json', import.meta.url));
  const lines = formatCsv(buildReport(inventory, { shelf: 'C3' })).split('\\r\\n');
  assert.deepEqual(lines, [
    'SKU,Name,Category,Shelf,Quantity,Value',
    'GLUE-250,"Wood glue, 250 ml",chemicals,C3,8,43.92',
    'TAPE-2,"Tape 2"" wide",adhesives,C3,0,0.00',
    '',
  ]);
});
`,

  'src/cli.js': `#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { formatCsv } from './formatCsv.js';
import { formatText } from './formatText.js';
import { loadInventory } from './loadInventory.js';
import { buildReport } from './report.js';

const usage = 'usage: stockroom report FILE [--csv] [--category NAME] [--shelf NAME] [--max-quantity NUMBER]';
const options = {
  csv: { type: 'boolean', default: false },
  category: { type: 'string' },
  shelf: { type: 'string' },
  'max-quantity': { type: 'string' },
};

try {
  const { positionals, values } = parseArgs({ allowPositionals: true, options });
  const [command, file] = positionals;
  if (command !== 'report' || file === undefined) throw new Error(usage);
  const { category, shelf } = values;
  const report = buildReport(await loadInventory(file), { category, shelf, maxQuantity: wholeNumber(values['max-quantity']) });
  process.stdout.write(values.csv ? formatCsv(report) : \`\${formatText(report)}\\n\`);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}

function wholeNumber(text) {
  if (text === undefined) return undefined;
  if (!/^\\d+$/.test(text)) throw new Error(\`--max-quantity takes a whole number, not "\${text}".\`);
  return Number(text);
}
`,

  'test/cli.test.js': `import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';

const cli = fileURLToPath(new URL('../src/cli.js', import.meta.url));
const sample = fileURLToPath(new URL('../data/sample.json', import.meta.url));

const run = (...args) =>
  new Promise((resolve) => {
    execFile(process.execPath, [cli, ...args], (error, stdout, stderr) => resolve({ code: error?.code ?? 0, stdout, stderr }));
  });

test('the report is a table unless CSV is asked for', async () => {
  assert.match((await run('report', sample)).stdout, /4 items, 132 pieces/);
  const csv = await run('report', sample, '--csv', '--category', 'fasteners', '--max-quantity', '10');
  assert.equal(csv.stdout, 'SKU,Name,Category,Shelf,Quantity,Value\\r\\nNUT-M8,Nut M8,fasteners,A1,4,0.28\\r\\n');
});

test('what makes no sense is refused', async () => {
  const number = await run('report', sample, '--max-quantity', 'few');
  assert.deepEqual([number.code, number.stdout], [1, '']);
  assert.match(number.stderr, /whole number, not "few"/);
  assert.equal((await run('report', sample, '--colour', 'red')).code, 1);
});
`,

  'test/csvExport.test.js': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Inventory, buildReport, formatCsv, formatText } from '../src/index.js';

/** Reads CSV the way a spreadsheet does. */
function parseCsv(text) {
  const cells = [...text.matchAll(/(?:"((?:[^"]|"")*)"|([^,\\r\\n]*))(,|\\r\\n)/g)];
  const lines = [[]];
  for (const [, quoted, plain, end] of cells) {
    lines.at(-1).push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end !== ',') lines.push([]);
  }
  return lines.slice(0, -1);
}

test('what a supplier names oddly survives the way into a spreadsheet', () => {
  const inventory = new Inventory();
  const names = ['Plain', 'Comma, inside', 'Quote " inside', 'Two\\r\\nlines', '=HYPERLINK("x")', '-1'];
  names.forEach((name, index) => {
    inventory.add({ sku: \`S\${index}\`, name, category: 'odd', shelf: 'Z9', quantity: index, priceCents: 150 });
  });
  const [header, ...rows] = parseCsv(formatCsv(buildReport(inventory, { category: 'ODD' })));
  assert.deepEqual(header, ['SKU', 'Name', 'Category', 'Shelf', 'Quantity', 'Value']);
  assert.deepEqual(rows.map((row) => row[1]), [...names.slice(0, 4), \`'\${names[4]}\`, \`'\${names[5]}\`]);
  assert.deepEqual(rows.map((row) => row[5]), ['0.00', '1.50', '3.00', '4.50', '6.00', '7.50']);
});

test('a filter leaves the same rows in the table and in the CSV', () => {
  const inventory = new Inventory();
  for (const quantity of [1, 2, 3]) inventory.add({ sku: \`S\${quantity}\`, name: 'N', category: 'c', shelf: 'A1', quantity, priceCents: 1 });
  const report = buildReport(inventory, { maxQuantity: 2 });
  assert.equal(parseCsv(formatCsv(report)).length - 1, 2);
  assert.match(formatText(report), /^2 items, 3 pieces/m);
});
`,
} as const;
