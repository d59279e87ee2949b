import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import * as z from 'zod';
import { endMark } from '../../../../../src/context/promptFile.ts';
import { parseLines } from '../../../../../src/phases/shared/structured/parseLines.ts';
import { parseStructured } from '../../../../../src/phases/shared/structured/parseStructured.ts';
import { artifacts } from '../../../../support/answers/artifacts.ts';
import { asAsked, bareText, writeYaml } from '../../../../support/answers/writing.ts';

const schema = z.object({
  title: z.string(),
  count: z.number().optional(),
  items: z.array(z.object({ id: z.string(), notes: z.array(z.string()).default([]) })).min(1),
});
const read = parseStructured({ schema });
const piece = fc.constantFrom(
  'word',
  'a',
  ': ',
  ' #',
  '#12',
  '"',
  "'",
  '`',
  '- ',
  '* ',
  '[x]',
  '{y}',
  '&',
  '!',
  '|',
  '>',
  '%',
  '@',
  '\\d',
  'C:\\new',
  '“',
  '”',
  '1.10',
  'yes',
  'null',
  ' ',
  ',',
  'é',
  '😀',
  '(see',
  '->',
  '---',
  'title:',
  '</x>',
);
const text = fc
  .array(piece, { minLength: 1, maxLength: 7 })
  .map((pieces) => pieces.join('').trim().replaceAll(/\s+/g, ' '))
  .filter((line) => line !== '');
const document = fc.record(
  {
    title: text,
    items: fc.array(
      fc.record(
        { id: fc.constantFrom('a', 'b-2', '1.10'), notes: fc.array(text, { maxLength: 3 }) },
        { noNullPrototype: true },
      ),
      { minLength: 1, maxLength: 3 },
    ),
  },
  { noNullPrototype: true },
);
const runs = { numRuns: 1_000, seed: 11 };

function textsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

const squeezed = (written: string): string => written.replaceAll(/[\s\\"'“”]+/g, '');

describe('reading an answer', () => {
  it('never throws, whatever it says', () => {
    const lines = parseLines({ schema: z.object({ id: z.string() }) });
    const noise = fc
      .array(
        fc.oneof(
          piece,
          fc.constantFrom(
            '\n',
            '\n  ',
            'title: ',
            'items:\n',
            '- id: ',
            '```yaml\n',
            '```\n',
            '<think>',
            '{',
            '}',
            '[',
            ']',
            '\t',
            endMark,
          ),
        ),
        { maxLength: 40 },
      )
      .map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(fc.oneof(noise, fc.string({ unit: 'binary' })), (answer) => {
        read(answer);
        lines(answer);
      }),
      runs,
    );
  });

  it('gives back every text that was written in quotes', () => {
    fc.assert(
      fc.property(document, (value) => {
        for (const answer of [
          `\`\`\`yaml\n${writeYaml(value, quoted)}\n\`\`\``,
          JSON.stringify(value),
          `${writeYaml(value, quoted)}\n${endMark}`,
        ]) {
          const found = read(answer);
          if (textsOf(value).some((one) => /^(?:…|\.{3})/.test(one))) continue;
          assert.ok(found.ok, `${answer}\n${found.ok ? '' : found.problem}`);
          assert.deepEqual(found.value, value);
        }
      }),
      runs,
    );
  });

  it('accepts a text without quotes as it was written, or asks again', () => {
    fc.assert(
      fc.property(document, (value) => {
        const answer = `\`\`\`yaml\n${writeYaml(value, bareText)}\n\`\`\``;
        const found = read(answer);
        if (!found.ok || textsOf(value).some(hasEscapes)) return;
        const written = squeezed(answer);
        for (const one of textsOf(found.value))
          assert.ok(written.includes(squeezed(one)), `${one}\n${answer}`);
        const said = squeezed(textsOf(found.value).join(''));
        for (const one of textsOf(value))
          if (!isNothing(one) && !hasComment(one))
            assert.ok(said.includes(squeezed(one)), `${one}\n${answer}\n${JSON.stringify(found.value)}`);
      }),
      runs,
    );
  });

  it('reads what it has read as the same again', () => {
    fc.assert(
      fc.property(document, (value) => {
        const found = read(`\`\`\`yaml\n${writeYaml(value, bareText)}\n\`\`\``);
        if (!found.ok) return;
        const again = read(JSON.stringify(found.value));
        assert.ok(again.ok);
        assert.deepEqual(again.value, found.value);
      }),
      runs,
    );
  });

  it('reads every document of the corpus as the same again', () => {
    for (const [name, artifact] of Object.entries(artifacts)) {
      const first = artifact.read(asAsked(artifact, artifact.value));
      if (!first.ok || name.startsWith('vote')) continue;
      const again = artifact.read(asAsked(artifact, first.value));
      assert.ok(again.ok && first.ok, name);
      assert.deepEqual(again.value, first.value);
    }
  });
});

function quoted(written: string): string {
  return JSON.stringify(written);
}

function isNothing(written: string): boolean {
  return /^(?:null|~|none)?$/i.test(written.trim());
}

/** Behind a closing quote stands a comment, or the comma of JSON. */
function hasComment(written: string): boolean {
  return /^(?:"[^"]*"|'[^']*'|“[^“”]*”)(?: +#| *,$)/.test(written);
}

function hasEscapes(written: string): boolean {
  return /^".*\\[nrtu].*"/.test(written);
}
