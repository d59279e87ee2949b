import assert from 'node:assert/strict';
import { RetrospectiveAnswer } from '../../../../src/domain/retrospective/answer.ts';
import { mergeRetrospectives } from '../../../../src/domain/retrospective/mergeAnswers.ts';

const nothing = { patterns: [], decisions: [], gotchas: [], files: [], test_patterns: [], risks: [] };
const answer = (fields: object = {}): RetrospectiveAnswer =>
  RetrospectiveAnswer.parse({ handoff: nothing, ...fields });

describe('what several personas say about a ticket', () => {
  it('is one answer, in which the first entries of all come first and no words are there twice', () => {
    const merged = mergeRetrospectives([
      answer({ patterns: ['One file a rule.', 'Names are short.'] }),
      answer({ patterns: ['one file: a rule', 'Tests are beside.'], went_well: ['Quick.'] }),
      answer({ patterns: ['Third.'] }),
    ]);
    assert.deepEqual(merged.patterns, [
      'One file a rule.',
      'Third.',
      'Names are short.',
      'Tests are beside.',
    ]);
    assert.deepEqual([merged.went_well, merged.went_badly], [['Quick.'], []]);
  });

  it('has an entry of a handoff and a step once, with the files and criteria that any of them named', () => {
    const said = (evidence: readonly string[], criteria: readonly string[]) =>
      answer({
        handoff: { ...nothing, risks: [{ text: 'It is slow.', evidence }] },
        uat: [{ criteria, actions: ['Run it.'], expected: 'It runs.' }],
      });
    const { handoff, uat } = mergeRetrospectives([said(['a.ts'], ['AC1']), said(['a.ts', 'b.ts'], ['AC2'])]);
    assert.deepEqual(handoff, { ...nothing, risks: [{ text: 'It is slow.', evidence: ['a.ts', 'b.ts'] }] });
    assert.deepEqual(uat, [{ criteria: ['AC1', 'AC2'], actions: ['Run it.'], expected: 'It runs.' }]);
  });

  it('stays within what one answer may hold, with something of each', () => {
    const many = (name: string) =>
      answer({
        gotchas: Array.from({ length: 40 }, (_, place) => `${name} ${String(place)}`),
        handoff: {
          ...nothing,
          files: Array.from({ length: 40 }, (_, place) => ({
            text: `File ${String(place)}`,
            evidence: Array.from({ length: 20 }, (_one, file) => `${name}/${String(file)}.ts`),
          })),
        },
      });
    const merged = mergeRetrospectives([many('first'), many('second')]);
    assert.deepEqual(RetrospectiveAnswer.parse(merged), merged);
    assert.deepEqual([merged.gotchas.length, merged.gotchas.at(-1)], [40, 'second 19']);
    assert.equal(merged.handoff.files[0]?.evidence.length, 20);
  });

  it('is that of the only one, where nobody else answered', () => {
    const only = answer({
      patterns: ['One.'],
      handoff: { ...nothing, files: [{ text: 'Start here.', evidence: [] }] },
    });
    assert.deepEqual(mergeRetrospectives([only]), only);
  });
});
