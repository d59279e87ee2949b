import assert from 'node:assert/strict';
import * as z from 'zod';
import { endMark } from '../../../../../src/context/promptFile.ts';
import { parseLines } from '../../../../../src/phases/shared/structured/parseLines.ts';

const schema = z.object({ id: z.string(), labels: z.array(z.string()).min(1) });
const parse = parseLines({ schema });
const a = '{"id":"a","labels":["x"]}';
const b = '{"id":"b","labels":["y"]}';
const both = [
  { id: 'a', labels: ['x'] },
  { id: 'b', labels: ['y'] },
];

describe('JSON lines', () => {
  const accepted: Readonly<Record<string, string>> = {
    'bare lines': `${a}\n\n${b}\n${endMark}\n`,
    'a fence': `\`\`\`jsonl\n${a}\n${b}\n\`\`\``,
    'an array': `[${a},\n${b}]`,
    'a document around the list': `beads:\n  - id: a\n    labels: [x]\n  - id: b\n    labels: [y]\n${endMark}`,
    'prose around them': `Here they are:\n${a}\n${b}\nThat is all.`,
    'lines with slips': `{id: "a", labels: ["x",]}\n${b}\n${endMark}`,
  };
  for (const [name, text] of Object.entries(accepted)) {
    it(`reads ${name}`, () => {
      const result = parse(text);
      assert.deepEqual(result.ok && result.value, both);
    });
  }

  it('names the line that is wrong', () => {
    const result = parse(`${a}\n{"id":"b","labels":[]}`);
    assert.ok(!result.ok);
    assert.match(result.problem, /\[1\]\.labels/);
  });

  it('refuses what holds no object', () => {
    assert.equal(parse('none').ok, false);
  });
});
