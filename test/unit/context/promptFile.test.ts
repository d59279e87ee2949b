import assert from 'node:assert/strict';
import { parsePromptFile, renderPrompt } from '../../../src/context/promptFile.ts';
import { BeadsmithError } from '../../../src/domain/core/errors.ts';

const front = (inputs: string): string =>
  `---\nabout: Test.\ninputs: ${inputs}\nbudget: 100\npolicy: read_only\noutput: text\n---\n`;
const title = '# Beadsmith task: sample\n\n';
const refuses = (text: string, because: RegExp): void =>
  assert.throws(
    () => parsePromptFile('sample', text),
    (error) =>
      error instanceof BeadsmithError && error.code === 'INVALID_INPUT' && because.test(error.message),
  );

describe('parsePromptFile', () => {
  it('reads front matter and body', () => {
    const file = parsePromptFile('sample', `${front('[a]')}${title}Say {{a}}.\n`);
    assert.deepEqual(file, {
      name: 'sample',
      about: 'Test.',
      inputs: ['a'],
      budget: 100,
      policy: 'read_only',
      output: 'text',
      body: '# Beadsmith task: sample\n\nSay {{a}}.',
    });
  });

  it('reads files with Windows line ends alike', () => {
    const text = `${front('[a]')}${title}Say {{a}}.\n`;
    assert.deepEqual(
      parsePromptFile('sample', text.replaceAll('\n', '\r\n')),
      parsePromptFile('sample', text),
    );
  });

  it('refuses a hole without an input and an input without a hole', () => {
    refuses(`${front('[]')}${title}{{a}}`, /differ: a/);
    refuses(`${front('[a, b]')}${title}{{a}}`, /differ: b/);
    refuses(`${front('[a]')}${title}{{a}} {{A b}}`, /differ: A b/);
    refuses(`${front('[a, a]')}${title}{{a}}`, /twice/);
  });

  it('refuses missing, wrong and unknown front matter', () => {
    refuses(`${title}x`, /no front matter/);
    refuses(`${front('[]').replace('read_only', 'everything')}${title}`, /policy/);
    refuses(`${front('[]').replace('budget: 100\n', '')}${title}`, /budget/);
    refuses(`${front('[]').replace('about:', 'model: x\nabout:')}${title}`, /model/);
    refuses(`${front('{')}${title}`, /can't be used/);
  });

  it('refuses a body without its own title', () => {
    refuses(`${front('[]')}Do it.`, /doesn't begin with/);
    refuses(`${front('[]')}# Beadsmith task: other\n`, /doesn't begin with/);
  });
});

describe('renderPrompt', () => {
  const file = parsePromptFile('sample', `${front('[a, b]')}${title}{{a}} and {{ b }} and {{a}}`);

  it('puts values in as they are: neither holes nor patterns in them mean anything', () => {
    assert.equal(
      renderPrompt(file, { a: '{{b}}', b: "$& $1 $'" }).slice(title.length),
      "{{b}} and $& $1 $' and {{b}}",
    );
  });

  it('refuses missing and extra inputs', () => {
    for (const inputs of [{ a: '1' }, { a: '1', b: '2', c: '3' }, {}]) {
      assert.throws(
        () => renderPrompt(file, inputs),
        (error) => error instanceof BeadsmithError && error.code === 'INVALID_INPUT',
      );
    }
  });
});
