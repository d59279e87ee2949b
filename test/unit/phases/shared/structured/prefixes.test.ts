import assert from 'node:assert/strict';
import { artifacts, type Artifact } from '../../../../support/answers/artifacts.ts';
import { readable } from '../../../../support/answers/styles.ts';
import { asAsked, writeYaml } from '../../../../support/answers/writing.ts';
import { endMark } from '../../../../../src/context/promptFile.ts';

function wronglyAccepted({ read }: Artifact, text: string, step: number): readonly string[] {
  const whole = read(text);
  assert.ok(whole.ok);
  const wrong: string[] = [];
  for (let end = 0; end < text.length; end += step) {
    const part = read(text.slice(0, end));
    if (!part.ok) continue;
    try {
      assert.deepEqual(part.value, whole.value);
    } catch {
      wrong.push(text.slice(Math.max(0, end - 80), end));
    }
  }
  return wrong;
}

describe('an answer that was cut off', () => {
  for (const name of [
    'prd-draft',
    'beads-draft',
    'beads-expand',
    'interview-draft',
    'interview-batch',
    'interview-complete',
  ]) {
    const artifact = artifacts[name];
    if (!artifact) throw new TypeError(name);
    const texts = {
      'as it was asked for': asAsked(artifact, artifact.value),
      'as bare YAML': `${writeYaml(artifact.value)}\n${endMark}\n`,
      'as JSON': JSON.stringify(artifact.value, null, 2),
    };
    for (const [form, text] of Object.entries(texts))
      it(`is refused or says the same, at every character: ${name} ${form}`, function () {
        this.timeout(60_000);
        assert.deepEqual(wronglyAccepted(artifact, text, 1), []);
      });
  }

  for (const style of readable.filter(({ name }) => name !== 'two documents'))
    it(`is refused or says the same in the style "${style.name}"`, function () {
      this.timeout(60_000);
      for (const name of ['interview-coverage', 'beads-expand', 'relevant-files']) {
        const artifact = artifacts[name];
        if (!artifact) throw new TypeError(name);
        const value = style.change?.(artifact.value) ?? artifact.value;
        const text = style.write(artifact, value);
        if (artifact.read(text).ok) assert.deepEqual(wronglyAccepted(artifact, text, 5), [], name);
      }
    });
});
