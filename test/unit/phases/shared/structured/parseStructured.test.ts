import assert from 'node:assert/strict';
import * as z from 'zod';
import { endMark } from '../../../../../src/context/promptFile.ts';
import { parseStructured } from '../../../../../src/phases/shared/structured/parseStructured.ts';

const schema = z.object({ file_count: z.number(), files: z.array(z.object({ path: z.string() })) });
const parse = parseStructured({ tag: 'RESULT', schema });
const value = { file_count: 1, files: [{ path: 'a.ts' }] };
const yaml = 'file_count: 1\nfiles:\n  - path: a.ts';

describe('structured answers', () => {
  const accepted: Readonly<Record<string, string>> = {
    'a tag': `Here it is.\n<RESULT>\n${yaml}\n</RESULT>\nDone.`,
    'a tag that is never closed': `<RESULT>\n${yaml}\n${endMark}`,
    'a fence inside the tag': `<RESULT>\n\`\`\`yaml\n${yaml}\n\`\`\`\n</RESULT>`,
    'the last of two tags': `<RESULT>\nfile_count: 9\nfiles: []\n</RESULT> no, rather:\n<RESULT>\n${yaml}\n</RESULT>`,
    'a fence without the tag': `Sure!\n\n\`\`\`yaml\n${yaml}\n\`\`\`\n`,
    'bare YAML': `${yaml}\n${endMark}`,
    'bare YAML after prose': `I looked around.\n${yaml}\n${endMark}`,
    'an orphan fence': `\`\`\`yaml\n${yaml}\n${endMark}`,
    JSON: JSON.stringify(value),
    'JSON with slips': `{file_count: 1, files: [{'path': 'a.ts',},],}`,
    'a wrapper': `output:\n  result:\n    file_count: 1\n    files:\n      - path: a.ts\n${endMark}`,
    'other names of keys': `fileCount: 1\nFILES:\n  - path: a.ts\n${endMark}`,
    'Windows line ends and colours': `\u001B[32m${`${yaml}\n${endMark}`.replaceAll('\n', '\r\n')}\u001B[0m`,
  };
  for (const [name, text] of Object.entries(accepted)) {
    it(`reads ${name}`, () => {
      const result = parse(text);
      assert.deepEqual(result.ok && result.value, value);
    });
  }

  it('quotes a scalar that holds a colon', () => {
    const read = parseStructured({ schema: z.object({ title: z.string(), list: z.array(z.string()) }) });
    const result = read(
      `title: Fix: the parser\nlist:\n  - one: two: three\n  - 12\n  - Given a cart: it is empty\n${endMark}`,
    );
    assert.deepEqual(result.ok && result.value, {
      title: 'Fix: the parser',
      list: ['one: two: three', '12', 'Given a cart: it is empty'],
    });
  });

  it('names the key that a fenced document lacks', () => {
    const result = parseStructured({ schema })(`\`\`\`yaml\nfile_count: 1\n\`\`\`\n${endMark}`);
    assert.match(result.ok ? '' : result.problem, /^- files: /);
  });

  it('names the path and the reason of what is wrong', () => {
    const result = parse('<RESULT>\nfile_count: many\nfiles:\n  - path: a\n  - name: b\n</RESULT>');
    assert.ok(!result.ok);
    assert.match(result.problem, /file_count: .*number/);
    assert.match(result.problem, /files\[1\]\.path: /);
  });

  it('runs the semantic check last and gives its reason', () => {
    const strict = parseStructured({
      tag: 'RESULT',
      schema,
      check: (found) => (found.files.length > 1 ? undefined : 'files: too few.'),
    });
    assert.deepEqual(strict(`<RESULT>\n${yaml}\n</RESULT>`), { ok: false, problem: 'files: too few.' });
  });

  it('refuses prose, an echo of the prompt, and a bomb of aliases', () => {
    const bomb = [
      'a: &a [x, x, x, x]',
      ...'bcdefghij'.split('').map(
        (name, index) =>
          `${name}: &${name} [${Array(4)
            .fill(`*${'abcdefghij'[index] ?? ''}`)
            .join(', ')}]`,
      ),
    ];
    const cases = {
      'I could not find anything.': /no <RESULT>|prose/,
      [`# Beadsmith task: x\n${yaml}`]: /repeats the prompt/,
      [bomb.join('\n')]: /./,
    };
    for (const [text, reason] of Object.entries(cases)) {
      const result = parse(text);
      assert.ok(!result.ok);
      assert.match(result.problem, reason);
    }
  });

  it('makes no object of a custom tag', () => {
    const read = parseStructured({ schema: z.object({ when: z.unknown() }) })(
      'when: !!js/function "function () {}"',
    );
    assert.ok(!read.ok || typeof read.value.when === 'string');
  });

  it('is done at once with a model that fell into repeating a mark', () => {
    for (const mark of ['`', '~', '-', '# ', '<RESULT>']) assert.ok(!parse(mark.repeat(200_000)).ok, mark);
  });
});
