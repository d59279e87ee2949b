import assert from 'node:assert/strict';
import fc from 'fast-check';
import { sha256 } from '../../../src/base/sha256.ts';
import { byLastChange } from '../../../src/context/recency.ts';
import type { PromptPart } from '../../../src/domain/usage/promptPlan.ts';

const part = (name: string, content = name): PromptPart => ({
  name,
  kind: 'section',
  stability: 2,
  content,
  tokens: 1,
});
const prompt = (at: number, contents: Readonly<Record<string, string>>) => ({
  at,
  plan: {
    parts: Object.entries(contents).map(([name, content]) => ({
      name,
      kind: 'section' as const,
      stability: 2 as const,
      tokens: 1,
      sha256: sha256(content),
    })),
  },
});
const names = (parts: readonly PromptPart[]): readonly string[] => parts.map(({ name }) => name);

describe('the order of parts by their last change', () => {
  it('AT-11: puts what changed longest ago first, then by name, and what is new last', () => {
    const earlier = [
      prompt(1, { notes: 'old', rules: 'r', bead: 'b' }),
      prompt(2, { notes: 'new', rules: 'r', bead: 'b' }),
    ];
    const parts = [part('notes', 'new'), part('added'), part('rules', 'r'), part('bead', 'b')];
    assert.deepEqual(names(byLastChange(parts, earlier)), ['bead', 'rules', 'notes', 'added']);
    assert.deepEqual(names(byLastChange([part('b'), part('a')], [])), ['a', 'b']);
  });

  it('AT-11: counts a text that came back as changed when it came back', () => {
    const earlier = [
      prompt(1, { a: '1', b: '1' }),
      prompt(2, { a: '2', b: '1' }),
      prompt(3, { a: '1', b: '1' }),
    ];
    assert.deepEqual(names(byLastChange([part('a', '1'), part('b', '1')], earlier)), ['b', 'a']);
  });

  it('AT-1: is the same whatever the order of the parts was', () => {
    const some = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(some, fc.array(fc.nat(3)), (all, changes) => {
        const earlier = changes.map((change, at) =>
          prompt(at, Object.fromEntries(all.map((name, index) => [name, String(index % (change + 1))]))),
        );
        const parts = all.map((name) => part(name, '0'));
        assert.deepEqual(
          names(byLastChange(parts.toReversed(), earlier)),
          names(byLastChange(parts, earlier)),
        );
      }),
    );
  });
});
