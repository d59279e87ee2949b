import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { endMark } from '../../../../../src/context/promptFile.ts';
import { artifacts } from '../../../../support/answers/artifacts.ts';
import { corpus, report } from '../../../../support/answers/corpus.ts';
import { asAsked } from '../../../../support/answers/writing.ts';

describe('messy answers', () => {
  it('are read for what they say, or asked for again, and never accepted for something else', function () {
    this.timeout(60_000);
    const answers = corpus();
    const { table, counts, complete, readAtOnce } = report(answers);
    assert.ok(answers.length >= 400 && new Set(answers.map(({ style }) => style)).size >= 16);
    assert.equal(counts['wrongly accepted'], 0, table);
    assert.equal(counts.failed, 0, table);
    assert.ok(readAtOnce >= 0.9 * complete, table);
  });

  it('say what their documents say', () => {
    for (const [name, artifact] of Object.entries(artifacts)) {
      const read = artifact.read(asAsked(artifact, artifact.value));
      assert.ok(read.ok, name);
      if (!name.startsWith('vote')) assert.partialDeepStrictEqual(read.value, artifact.value);
    }
  });
});

describe('the contract of an answer', () => {
  const prompts = join(import.meta.dirname, '../../../../../prompts');
  const free =
    /^output: (?:whatever|plain text|the word|what the interrupted|what the prompt|the same as|nothing; it is a part)/m;

  for (const file of globSync('*.md', { cwd: prompts })) {
    const text = readFileSync(join(prompts, file), 'utf8');
    if (free.test(text)) continue;
    it(`of ${file} ends with the end mark`, () => {
      assert.match(text, new RegExp(`(?:^|the line )${endMark}`, 'm'));
    });
  }
});
