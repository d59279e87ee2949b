import assert from 'node:assert/strict';
import { treeOf } from '../../../../../../src/phases/shared/structured/text/tree.ts';
import { guessed } from '../../../../../../src/phases/shared/structured/shape.ts';
import { yamlRules } from '../../../../../../src/phases/shared/structured/text/yamlRules.ts';
import { cpuMs } from '../../../../../support/cpuMs.ts';

const keys = new Set(['title', 'list', 'items', 'id']);

/** By rule: the slip, and what it says. */
const cases: Readonly<Record<string, readonly (readonly [string, unknown])[]>> = {
  'non-breaking-space': [['list:\n\u00A0\u00A0- a\u00A0b', { list: ['a\u00A0b'] }]],
  bullet: [
    ['list:\n  * a\n  * b: c', { list: ['a', { b: 'c' }] }],
    ['list:\n  1. a\n  2. b', { list: ['a', 'b'] }],
    ['list:\n  -a\n  -b', { list: ['a', 'b'] }],
  ],
  'smart-quotes': [
    ['title: “a: b”', { title: 'a: b' }],
    ['title: “a” and “b”', { title: '“a” and “b”' }],
  ],
  escapes: [
    ['title: "C:\\new"', { title: 'C:\\new' }],
    ['title: "a \\d+ b\\nc"', { title: 'a \\d+ b\nc' }],
  ],
  'decorated-key': [['**title:** a\n`id`: b', { title: 'a', id: 'b' }]],
  'reserved-start': [
    ['title: `a` b', { title: '`a` b' }],
    ['title: `a` b\n    and c\n    `d`\nid: e', { title: '`a` b and c `d`', id: 'e' }],
    ['list:\n  - @a\n    b\n  - c\n    `d`', { list: ['@a b', 'c `d`'] }],
    [
      'list:\n  - @a\n  - 100% b\n  - % c\n  - *d* e\n  - [x] f\n  - {g} h\n  - > i\n  - !j k\n  - & l',
      { list: ['@a', '100% b', '% c', '*d* e', '[x] f', '{g} h', '> i', '!j k', '& l'] },
    ],
    ['title: [a](b) is a link', { title: '[a](b) is a link' }],
    ['list:\n  - #12 is done', { list: ['#12 is done'] }],
  ],
  tab: [['items:\n\t- id:\ta\n\t\ttitle:\tb', { items: [{ id: 'a', title: 'b' }] }]],
  'missing-space': [['title:"a"\nid:b', { title: 'a', id: 'b' }]],
  'trailing-comma': [['title: "a",\nlist: [b],', { title: 'a', list: ['b'] }]],
  'inner-quotes': [
    ['title: "he says "hi" twice"', { title: 'he says "hi" twice' }],
    ['title: "a" and "b"', { title: '"a" and "b"' }],
    ['title: "a" and\n  "b"\nid: c', { title: '"a" and "b"', id: 'c' }],
    ["title: 'it's here'", { title: "it's here" }],
  ],
  'colon-in-text': [
    ['title: Fix: the parser', { title: 'Fix: the parser' }],
    ['title: Fix: the\n  parser\nid: a', { title: 'Fix: the parser', id: 'a' }],
  ],
  indentation: [
    [
      'items:\n  - id: a\n     title: b\n  - id: c\n    title: d',
      {
        items: [
          { id: 'a', title: 'b' },
          { id: 'c', title: 'd' },
        ],
      },
    ],
  ],
};

describe('the catalogue of repairs', () => {
  it('has a case for every rule', () => {
    assert.deepEqual(Object.keys(cases).sort(), yamlRules.map(({ name }) => name).sort());
  });

  for (const [place, rule] of yamlRules.entries())
    it(`keeps the texts: ${rule.name}`, () => {
      for (const [slip, said] of cases[rule.name] ?? []) {
        const before = yamlRules
          .slice(0, place)
          .filter(({ always }) => always)
          .reduce((text, { repair }) => repair(text, keys), slip);
        const tree = treeOf(rule.repair(before, keys));
        assert.ok(tree.ok, `${slip}\n${tree.ok ? '' : tree.error}`);
        assert.deepEqual(guessed(tree.value), said);
      }
    });

  it('reads thousands of lines that each could continue the one before as fast as others', () => {
    const milliseconds = (line: string): number => {
      const text = `title: a\n${`${line}\n`.repeat(20_000)}id: b`;
      const start = cpuMs();
      for (const { repair } of yamlRules) repair(text, keys);
      return cpuMs() - start;
    };
    milliseconds('  a b');
    assert.ok(milliseconds('  `a` b') < 20 * milliseconds('  a b') + 200);
    assert.ok(milliseconds('  - `a` b') < 20 * milliseconds('  - a b') + 200);
  });
});
