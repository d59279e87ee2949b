import { bug, type SeededModule } from './seededBug.ts';

/** Ten more modules with bugs. */
export const moreModules: readonly SeededModule[] = [
  {
    name: 'search',
    code: `export function indexOf(sorted, wanted) {
  let [low, high] = [0, sorted.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] === wanted) return middle;
    if (sorted[middle] < wanted) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
export const has = (sorted, wanted) => indexOf(sorted, wanted) !== -1;
`,
    passes: 'assert.equal(it.indexOf([1, 3, 5], 3), 1); assert.ok(it.has([1, 3, 5], 3));',
    bugs: [
      bug(
        'while (low <= high) {',
        'while (low < high) {',
        'The last candidate is never looked at.',
        'assert.equal(it.indexOf([1, 3, 5], 5), 2);',
      ),
      bug(
        'indexOf(sorted, wanted) !== -1;',
        'indexOf(sorted, wanted) > 0;',
        'The first element is said to be missing.',
        'assert.ok(it.has([1, 3], 1));',
      ),
    ],
  },
  {
    name: 'paths',
    code: `export function join(...parts) {
  return parts.filter((part) => part !== '').join('/').replace(/\\/{2,}/g, '/');
}
export const extension = (path) => /[^/.]\\.([^./]+)$/.exec(path)?.[1] ?? '';
`,
    passes: "assert.equal(it.join('a', 'b'), 'a/b'); assert.equal(it.extension('a.js'), 'js');",
    bugs: [
      bug(
        ".replace(/\\/{2,}/g, '/')",
        ".replace('//', '/')",
        'Only the first pair of slashes is folded.',
        "assert.equal(it.join('a/', '/b/', '/c'), 'a/b/c');",
      ),
      bug(
        '/[^/.]\\.([^./]+)$/',
        '/\\.([^./]+)$/',
        'A dotfile is said to have an extension.',
        "assert.equal(it.extension('/home/.profile'), '');",
      ),
    ],
  },
  {
    name: 'votes',
    code: `export function winner(votes) {
  const counts = new Map();
  for (const vote of votes) counts.set(vote, (counts.get(vote) ?? 0) + 1);
  return [...counts].sort(([a, one], [b, other]) => other - one || a.localeCompare(b))[0]?.[0];
}
export const quorum = (members) => Math.floor(members / 2) + 1;
`,
    passes: "assert.equal(it.winner(['b', 'a', 'b']), 'b'); assert.equal(it.quorum(3), 2);",
    bugs: [
      bug(
        'other - one || a.localeCompare(b)',
        'other - one',
        'A tie goes to whoever was named first.',
        "assert.equal(it.winner(['b', 'a']), 'a');",
      ),
      bug(
        'Math.floor(members / 2) + 1',
        'Math.ceil(members / 2)',
        'Half of an even number of members is taken for a majority.',
        'assert.equal(it.quorum(4), 3);',
      ),
    ],
  },
  {
    name: 'limits',
    code: `export function parseLimit(text, most) {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0) throw new RangeError('not a limit');
  return Math.min(value, most);
}
export const isUnlimited = (limit) => limit === 0;
`,
    passes: "assert.equal(it.parseLimit('5', 10), 5); assert.ok(it.isUnlimited(0));",
    bugs: [
      bug(
        '!Number.isInteger(value) || value < 0',
        'Number.isNaN(value) || value < 0',
        'A fraction is accepted as a limit.',
        "assert.throws(() => it.parseLimit('1.5', 10));",
      ),
      bug(
        'limit === 0;',
        '!limit;',
        'A limit that is missing is taken for none.',
        'assert.ok(!it.isUnlimited(undefined));',
      ),
    ],
  },
  {
    name: 'diffs',
    code: `export function changed(before, after) {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((key) => !Object.is(before[key], after[key]));
}
export const isSame = (before, after) => changed(before, after).length === 0;
`,
    passes:
      'assert.deepEqual(it.changed({ a: 1 }, { a: 2 }), ["a"]); assert.ok(it.isSame({ a: 1 }, { a: 1 }));',
    bugs: [
      bug(
        '[...Object.keys(before), ...Object.keys(after)]',
        '[...Object.keys(before)]',
        'Keys that were added are not seen.',
        'assert.deepEqual(it.changed({}, { b: 1 }), ["b"]);',
      ),
      bug(
        '!Object.is(before[key], after[key])',
        'before[key] !== after[key]',
        'A value that is not a number is always said to have changed.',
        'assert.ok(it.isSame({ a: NaN }, { a: NaN }));',
      ),
    ],
  },
  {
    name: 'durations',
    code: `export function duration(ms) {
  const seconds = Math.round(ms / 1000);
  return seconds < 60 ? \`\${seconds} s\` : \`\${Math.floor(seconds / 60)} min \${seconds % 60} s\`;
}
export const isOver = (start, now, ms) => now - start >= ms;
`,
    passes: "assert.equal(it.duration(5000), '5 s'); assert.ok(it.isOver(0, 11, 10));",
    bugs: [
      bug(
        'seconds < 60 ?',
        'seconds <= 60 ?',
        'A whole minute is written as 60 s.',
        "assert.equal(it.duration(60000), '1 min 0 s');",
      ),
      bug(
        'now - start >= ms;',
        'now - start > ms;',
        'It is over one tick too late.',
        'assert.ok(it.isOver(0, 10, 10));',
      ),
    ],
  },
  {
    name: 'rights',
    code: `export function mayEdit(user, page) {
  return user.active && (user.admin || page.owner === user.id);
}
export const visible = (pages, user) => pages.filter((page) => page.public || mayEdit(user, page));
`,
    passes:
      'assert.ok(it.mayEdit({ active: true, admin: true, id: 1 }, { owner: 2 })); assert.equal(it.visible([{ public: true }], {}).length, 1);',
    bugs: [
      bug(
        'user.active && (user.admin || page.owner === user.id)',
        '(user.active && user.admin) || page.owner === user.id',
        'An owner who was deactivated may still edit.',
        'assert.ok(!it.mayEdit({ active: false, id: 2 }, { owner: 2 }));',
      ),
      bug(
        'page.public || mayEdit(user, page)',
        'page.public || user.active',
        'Every active user sees every private page.',
        'assert.equal(it.visible([{ public: false, owner: 2 }], { active: true, id: 1 }).length, 0);',
      ),
    ],
  },
  {
    name: 'caches',
    code: `export class Cache {
  #entries = new Map();
  constructor(size) { this.size = size; }
  get(key) { return this.#entries.get(key); }
  set(key, value) {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size > this.size) this.#entries.delete(this.#entries.keys().next().value);
  }
}
`,
    passes: 'const one = new it.Cache(2); one.set("a", 1); assert.equal(one.get("a"), 1);',
    bugs: [
      bug(
        'if (this.#entries.size > this.size) this',
        'if (this.#entries.size > this.size + 1) this',
        'The cache keeps one entry more than it may.',
        'const c = new it.Cache(1); c.set("a", 1); c.set("b", 2); assert.equal(c.get("a"), undefined);',
      ),
      bug(
        '    this.#entries.delete(key);\n    this',
        '    // kept where it is\n    this',
        'An entry that is set again stays the oldest.',
        'const d = new it.Cache(2); for (const key of ["a", "b", "a"]) d.set(key, 1); for (const key of ["c", "e"]) { d.set(key, 1); assert.ok(d.get("a") !== undefined || d.get("b") === undefined); }',
      ),
    ],
  },
  {
    name: 'words',
    code: `export function shorten(text, most) {
  return text.length <= most ? text : \`\${text.slice(0, most - 1)}…\`;
}
export const plural = (count, word) => \`\${count} \${word}\${count === 1 ? '' : 's'}\`;
`,
    passes: "assert.equal(it.shorten('abc', 5), 'abc'); assert.equal(it.plural(2, 'bead'), '2 beads');",
    bugs: [
      bug(
        'text.slice(0, most - 1)',
        'text.slice(0, most)',
        'A shortened text is one character too long.',
        "assert.equal(it.shorten('abcdef', 3).length, 3);",
      ),
      bug(
        "count === 1 ? '' : 's'",
        "count <= 1 ? '' : 's'",
        'None of them is written in the singular.',
        "assert.equal(it.plural(0, 'bead'), '0 beads');",
      ),
    ],
  },
  {
    name: 'graphs',
    code: `export function reachable(edges, from) {
  const seen = new Set([from]);
  for (const at of seen) for (const next of edges[at] ?? []) seen.add(next);
  return [...seen];
}
export const isLeaf = (edges, at) => (edges[at] ?? []).length === 0;
`,
    passes:
      'assert.deepEqual(it.reachable({ a: ["b"] }, "a"), ["a", "b"]); assert.ok(it.isLeaf({ a: [] }, "a"));',
    bugs: [
      bug(
        'for (const at of seen) for',
        'for (const at of [...seen]) for',
        'Only direct neighbors are reached.',
        'assert.deepEqual(it.reachable({ a: ["b"], b: ["c"] }, "a"), ["a", "b", "c"]);',
      ),
      bug(
        '(edges[at] ?? []).length === 0',
        'edges[at]?.length === 0',
        'A node without a list is not taken for a leaf.',
        'assert.ok(it.isLeaf({}, "z"));',
      ),
    ],
  },
];
