import { bug, type SeededModule } from './seededBug.ts';

/** The first ten modules with bugs. */
export const firstModules: readonly SeededModule[] = [
  {
    name: 'clamp',
    code: `export function clamp(value, low, high) {
  const [least, most] = low <= high ? [low, high] : [high, low];
  return Math.max(least, Math.min(most, value));
}
export const isInside = (value, low, high) => value >= low && value <= high;
`,
    passes: 'assert.equal(it.clamp(5, 1, 3), 3); assert.ok(it.isInside(2, 1, 3));',
    bugs: [
      bug(
        'low <= high ? [low, high] : [high, low]',
        'low <= high ? [low, high] : [low, high]',
        'Bounds in the wrong order are not swapped.',
        'assert.equal(it.clamp(2, 3, 1), 2);',
      ),
      bug(
        'value <= high;',
        'value < high;',
        'The upper bound is not inside, though it should be.',
        'assert.ok(it.isInside(3, 1, 3));',
      ),
    ],
  },
  {
    name: 'pages',
    code: `export function pageCount(items, size) {
  return Math.max(1, Math.ceil(items / size));
}
export function pageOf(list, page, size) {
  const start = (page - 1) * size;
  return list.slice(start, start + size);
}
`,
    passes: 'assert.equal(it.pageCount(10, 5), 2); assert.deepEqual(it.pageOf([1, 2, 3], 1, 2), [1, 2]);',
    bugs: [
      bug(
        'Math.max(1, Math.ceil(items / size))',
        'Math.max(1, Math.floor(items / size))',
        'The last page is lost when it is not full.',
        'assert.equal(it.pageCount(11, 5), 3);',
      ),
      bug(
        'const start = (page - 1) * size;',
        'const start = (page - 1) * (size + page - 1);',
        'Later pages leave items out.',
        'assert.deepEqual(it.pageOf([1, 2, 3, 4], 2, 2), [3, 4]);',
      ),
    ],
  },
  {
    name: 'names',
    code: `export function initials(name) {
  return name.trim().split(/\\s+/).map((part) => part[0]?.toUpperCase() ?? '').join('');
}
export const sameName = (one, other) => one.normalize('NFC') === other.normalize('NFC');
`,
    passes: "assert.equal(it.initials('ada lovelace'), 'AL'); assert.ok(it.sameName('Ada', 'Ada'));",
    bugs: [
      bug(
        '.split(/\\s+/)',
        ".split(' ')",
        'Two spaces between names give an empty part.',
        "assert.deepEqual([...it.initials('ada\\tlovelace')], ['A', 'L']);",
      ),
      bug(
        "one.normalize('NFC') === other.normalize('NFC')",
        "one === other.normalize('NFC')",
        'A decomposed name is taken for another one.',
        "assert.ok(it.sameName('e\\u0301', '\\u00e9'));",
      ),
    ],
  },
  {
    name: 'totals',
    code: `export function total(lines) {
  return lines.reduce((sum, { price, count }) => sum + price * count, 0);
}
export const withTax = (cents, percent) => Math.round(cents * (1 + percent / 100));
`,
    passes: 'assert.equal(it.total([{ price: 2, count: 1 }]), 2); assert.equal(it.withTax(100, 19), 119);',
    bugs: [
      bug(
        'sum + price * count, 0)',
        'sum + price, 0)',
        'The count of a line is left out of the total.',
        'assert.equal(it.total([{ price: 2, count: 3 }]), 6);',
      ),
      bug(
        'Math.round(cents',
        'Math.floor(cents',
        'Half a cent is always lost.',
        'assert.equal(it.withTax(99, 19), 118);',
      ),
    ],
  },
  {
    name: 'dates',
    code: `export function isLeap(year) {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}
export const daysIn = (year, month) => new Date(Date.UTC(year, month, 0)).getUTCDate();
`,
    passes: 'assert.ok(it.isLeap(2024)); assert.equal(it.daysIn(2024, 1), 31);',
    bugs: [
      bug(
        '(year % 100 !== 0 || year % 400 === 0)',
        '(year % 100 !== 0 || year % 200 === 0)',
        '1800 is taken for a leap year.',
        'assert.ok(!it.isLeap(1800));',
      ),
      bug(
        'Date.UTC(year, month, 0)',
        'Date.UTC(year, month - 1, 0)',
        'The days of the month before are counted.',
        'assert.equal(it.daysIn(2024, 2), 29);',
      ),
    ],
  },
  {
    name: 'ranges',
    code: `export function overlaps(one, other) {
  return one.from < other.to && other.from < one.to;
}
export const span = ({ from, to }) => Math.max(0, to - from);
`,
    passes:
      'assert.ok(it.overlaps({ from: 1, to: 5 }, { from: 2, to: 3 })); assert.equal(it.span({ from: 1, to: 4 }), 3);',
    bugs: [
      bug(
        'one.from < other.to && other.from < one.to',
        'one.from <= other.to && other.from <= one.to',
        'Ranges that only touch are said to overlap.',
        'assert.ok(!it.overlaps({ from: 1, to: 2 }, { from: 2, to: 3 }));',
      ),
      bug(
        'Math.max(0, to - from)',
        'to - from',
        'An inverted range has a negative span.',
        'assert.equal(it.span({ from: 4, to: 1 }), 0);',
      ),
    ],
  },
  {
    name: 'queues',
    code: `export function take(queue, count) {
  const taken = queue.slice(0, count);
  return { taken, left: queue.slice(taken.length) };
}
export const isEmpty = (queue) => queue.length === 0;
`,
    passes: 'assert.deepEqual(it.take([1, 2, 3], 2).taken, [1, 2]); assert.ok(it.isEmpty([]));',
    bugs: [
      bug(
        'queue.slice(taken.length)',
        'queue.slice(count + 1)',
        'The item after the taken ones is lost.',
        'assert.deepEqual(it.take([1, 2, 3], 2).left, [3]);',
      ),
      bug(
        'queue.length === 0;',
        'queue.length < 2;',
        'A queue of one is taken for empty.',
        'assert.ok(!it.isEmpty([1]));',
      ),
    ],
  },
  {
    name: 'escape',
    code: `const signs = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
export const escape = (text) => text.replace(/[&<>"]/g, (sign) => signs[sign]);
export const attribute = (name, value) => \`\${name}="\${escape(String(value))}"\`;
`,
    passes: "assert.equal(it.escape('a<b'), 'a&lt;b'); assert.equal(it.attribute('id', 'x'), 'id=\"x\"');",
    bugs: [
      bug(
        '/[&<>"]/g',
        '/[&<>"]/',
        'Only the first sign of a text is escaped.',
        "assert.equal(it.escape('<<'), '&lt;&lt;');",
      ),
      bug(
        'escape(String(value))',
        'String(value)',
        'A value with a quote breaks out of its attribute.',
        "assert.ok(!it.attribute('id', '\"').includes('\"\"\"'));",
      ),
    ],
  },
  {
    name: 'retries',
    code: `export function delayOf(attempt, base, most) {
  return Math.min(most, base * 2 ** (attempt - 1));
}
export const mayRetry = ({ attempt, limit, status }) => attempt < limit && (status === 429 || status >= 500);
`,
    passes:
      'assert.equal(it.delayOf(1, 100, 1000), 100); assert.ok(it.mayRetry({ attempt: 1, limit: 3, status: 503 }));',
    bugs: [
      bug(
        'Math.min(most, base * 2 ** (attempt - 1))',
        'base * 2 ** (attempt - 1)',
        'The delay grows without a bound.',
        'assert.equal(it.delayOf(9, 100, 1000), 1000);',
      ),
      bug(
        'attempt < limit && (status',
        'attempt <= limit && (status',
        'One retry more than the limit is made.',
        'assert.ok(!it.mayRetry({ attempt: 3, limit: 3, status: 503 }));',
      ),
    ],
  },
  {
    name: 'csv',
    code: `const quoted = (cell) => (/[",\\n]/.test(cell) ? \`"\${cell.replaceAll('"', '""')}"\` : cell);
export const row = (cells) => cells.map((cell) => quoted(String(cell ?? ''))).join(',');
`,
    passes: "assert.equal(it.row(['a', 'b,c']), 'a,\"b,c\"');",
    bugs: [
      bug(
        "cell.replaceAll('\"', '\"\"')",
        "cell.replace('\"', '\"\"')",
        'Only the first quote of a cell is doubled.',
        'assert.equal(it.row([\'"a"\']), \'"""a"""\');',
      ),
      bug(
        "String(cell ?? '')",
        'String(cell)',
        'An empty cell is written as "undefined".',
        "assert.equal(it.row([undefined, 'x']), ',x');",
      ),
    ],
  },
];
