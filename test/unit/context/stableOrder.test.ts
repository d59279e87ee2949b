import assert from 'node:assert/strict';
import fc from 'fast-check';
import { sha256 } from '../../../src/base/sha256.ts';
import { partRow } from '../../../src/context/partRow.ts';
import { sectionNames } from '../../../src/context/sections.ts';
import { sliceNames } from '../../../src/context/slices.ts';
import { type EarlierPrompt, inStableOrder } from '../../../src/context/stableOrder.ts';
import type { PromptPart } from '../../../src/domain/usage/promptPlan.ts';

type Contents = Readonly<Record<string, string>>;

const partsOf = (contents: Contents): readonly PromptPart[] =>
  [...sliceNames, ...sectionNames]
    .flatMap((name): PromptPart[] => {
      const content = contents[name];
      const kind = (sliceNames as readonly string[]).includes(name) ? 'slice' : 'section';
      return content === undefined
        ? []
        : [{ name, kind, stability: partRow(name)?.stability ?? 3, content, tokens: 1 }];
    })
    .toSorted((one, other) => rank(one) - rank(other));
const rank = ({ name, kind, stability }: PromptPart): number =>
  name === 'ticket_details' ? -1 : stability * 2 + (kind === 'slice' ? 0 : 1);
const classOf = ({ name, stability }: PromptPart): number => (name === 'ticket_details' ? -1 : stability);
const sentBy = (run: string, parts: readonly PromptPart[], bead: string | null = null): EarlierPrompt => ({
  run,
  bead,
  plan: { parts: parts.map(({ content, ...part }) => ({ ...part, sha256: sha256(content) })) },
});
const names = (parts: readonly PromptPart[]): readonly string[] => parts.map(({ name }) => name);

/** Each by a run of its own. */
function play(prompts: readonly Contents[], bead: string | null = null): readonly (readonly PromptPart[])[] {
  const earlier: EarlierPrompt[] = [];
  return prompts.map((contents, at) => {
    const ordered = inStableOrder(partsOf(contents), { earlier, bead });
    earlier.push(sentBy(`run ${String(at)}`, ordered, bead));
    return ordered;
  });
}
const shared = (one: readonly PromptPart[], other: readonly PromptPart[]): number => {
  const differs = other.findIndex(
    ({ name, content }, at) => one[at]?.name !== name || one[at].content !== content,
  );
  return differs === -1 ? other.length : differs;
};

describe('the order of a prompt', () => {
  const first = { ticket_details: 't', relevant_files: 'f', prd: 'p', repository_rules: 'r' };

  it('is at first the order of the list', () => {
    const parts = partsOf(first);
    assert.equal(inStableOrder(parts, { earlier: [] }), parts);
    assert.deepEqual(names(parts), ['ticket_details', 'relevant_files', 'prd', 'repository_rules']);
  });

  it('CP-M6: puts what changed behind what stayed the same, within its class, and leaves it there', () => {
    const changed = { ...first, relevant_files: 'g', handoff: 'h' };
    const [, second, third] = play([first, changed, changed]);
    assert.deepEqual(names(second ?? []), [
      'ticket_details',
      'prd',
      'repository_rules',
      'relevant_files',
      'handoff',
    ]);
    assert.deepEqual(third, second);
  });

  it('keeps ticket_details first, whatever changes', () => {
    const [, second] = play([first, { ...first, ticket_details: 'u' }]);
    assert.equal(second?.[0]?.name, 'ticket_details');
  });

  it('compares what belongs to a bead within that bead only, and what is fixed for the ticket over all of them', () => {
    const of = (bead: string, more: Contents = {}) =>
      partsOf({ host: 'h', repository_rules: `r ${bead}`, bead_data: bead, preamble: 'p', ...more });
    const earlier = [sentBy('1', of('a'), 'a')];
    const second = inStableOrder(of('b'), { earlier, bead: 'b' });
    assert.deepEqual(names(second), ['host', 'repository_rules', 'bead_data', 'preamble']);
  });

  it('AT-19: is the same for all sessions that are asked side by side, also in the next round', () => {
    const review = { bead_data: 'b', seen_evidence: 's', reviewer_notes: 'n', change: 'c', findings: 'f' };
    const personas = ['Ada', 'Ben', 'Cleo'];
    const round = (more: Contents, earlier: readonly EarlierPrompt[]) =>
      personas.map((persona) =>
        inStableOrder(partsOf({ ...review, ...more, persona }), { earlier, bead: 'x' }),
      );
    const one = round({}, []);
    const earlier = one.map((parts) => sentBy('1', parts, 'x'));
    const two = round({ seen_evidence: 'S', change: 'C' }, earlier);
    for (const [some, last] of [
      [one, 'change'],
      [two, 'change'],
    ] as const) {
      assert.equal(new Set(some.map((parts) => names(parts).join(' '))).size, 1);
      assert.equal(
        some[0]?.at(-2)?.name,
        last,
        'what is their own comes last, so that they share all the rest',
      );
    }
    assert.deepEqual(names(two[0] ?? []), [
      'bead_data',
      'reviewer_notes',
      'seen_evidence',
      'findings',
      'change',
      'persona',
    ]);
  });

  it('keeps a class as it is where sessions side by side get versions of their own', () => {
    const votes = {
      ticket_details: 't',
      drafts: 'one',
      draft_checks: 'c',
      decisions: 'd',
      user_context: 'u',
    };
    const [before, after] = play([votes, { ...votes, drafts: 'two', decisions: 'e' }]);
    assert.deepEqual(names(after ?? []), names(before ?? []));
  });

  it('loses nothing that the order of the list would share with the prompt before', () => {
    const movable = [
      'ticket_details',
      'prd',
      'beads',
      'repository_rules',
      'host',
      'preamble',
      'handoff',
      'user_context',
      'iteration',
    ];
    const contents = fc.record(Object.fromEntries(movable.map((name) => [name, fc.constantFrom('1', '2')])), {
      requiredKeys: [],
    });
    fc.assert(
      fc.property(fc.array(contents, { minLength: 2, maxLength: 3 }), (prompts) => {
        const ordered = play(prompts as readonly Contents[]);
        for (const [at, contents] of prompts.entries()) {
          if (at === 0) continue;
          const before = ordered[at - 1] ?? [];
          const now = ordered[at] ?? [];
          const mine = shared(before, now);
          if (at === 1)
            assert.ok(mine >= shared(partsOf(prompts[0] as Contents), partsOf(contents as Contents)));
          // Nothing moves by itself.
          const changed = before.findIndex(({ name, content }) => (contents as Contents)[name] !== content);
          const added = now
            .filter(({ name }) => !names(before).includes(name))
            .map((part) => before.filter((one) => classOf(one) <= classOf(part)).length);
          assert.ok(
            mine >=
              Math.min(
                changed === -1 ? before.length : changed,
                ...added.map((place) => Math.min(place, before.length)),
              ),
          );
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('a part that changes too often', () => {
  const versions = (changes: number, count = 11): readonly Contents[] =>
    Array.from({ length: count }, (_, at) => ({
      ticket_details: 't',
      prd: 'p',
      host: String(Math.min(at, changes)),
      user_context: 'u',
    }));
  const lastOf = (prompts: readonly Contents[]) => play(prompts).at(-1) ?? [];

  it('CP-M3: stands one class later from the change on that is more than 30 % of ten, and says so', () => {
    const demoted = (parts: readonly PromptPart[]) =>
      parts.filter((part) => part.demoted === true).map(({ name, stability }) => [name, stability]);
    assert.deepEqual(demoted(lastOf(versions(3))), []);
    assert.deepEqual(demoted(lastOf(versions(4, 4))), []);
    assert.deepEqual(demoted(lastOf(versions(4, 5))), [['host', 1]]);
    assert.deepEqual(names(lastOf(versions(4, 5))), ['ticket_details', 'prd', 'host', 'user_context']);
  });

  it('stays there while it is the same, which costs nothing, and comes back with a change once it changes seldom', () => {
    assert.equal(lastOf(versions(4, 20)).find(({ name }) => name === 'host')?.demoted, true);
    const calm = [...versions(4, 20), { ticket_details: 't', prd: 'p', host: 'new', user_context: 'u' }];
    const back = lastOf(calm).find(({ name }) => name === 'host');
    assert.deepEqual([back?.demoted, back?.stability], [undefined, 0]);
  });

  it('is never the ticket or the bead', () => {
    const prompts = Array.from({ length: 9 }, (_, at) => ({
      ticket_details: String(at),
      bead_data: String(at),
      bead_notes: String(at),
    }));
    assert.deepEqual(
      lastOf(prompts).map(({ name, stability }) => [name, stability]),
      [
        ['ticket_details', 0],
        ['bead_data', 1],
        ['bead_notes', 3],
      ],
    );
  });
});
