import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parsePromptFile } from '../../../src/context/promptFile.ts';
import { promptNames } from '../../../src/context/promptInventory.ts';
import { isOverridable, overrideProblem } from '../../../src/context/promptOverride.ts';

const text = (name: string): string =>
  readFileSync(join(import.meta.dirname, `../../../prompts/${name}.md`), 'utf8');
const problem = (name: string, change: (shipped: string) => string): string | undefined =>
  overrideProblem(parsePromptFile(name, text(name)), change(text(name)));
const refuses = (name: string, change: (shipped: string) => string, because: RegExp): void => {
  assert.notEqual(change(text(name)), text(name), 'the test changes nothing');
  assert.match(problem(name, change) ?? '', because);
};

describe('a person’s own prompt', () => {
  it('may be any prompt of a task as it ships, and with words of their own', () => {
    const names = promptNames.filter(isOverridable);
    assert.ok(names.length > 30);
    for (const name of names)
      assert.equal(
        problem(name, (shipped) => shipped),
        undefined,
        name,
      );
    assert.equal(
      problem('prd-draft', (shipped) => `\uFEFF${shipped.replaceAll('\n', '\r\n')}`),
      undefined,
    );
    const worded = (shipped: string): string =>
      shipped.replace('Rules:', 'Ask in British English.\n\nRules:').replace('read_only', 'disabled');
    assert.equal(problem('interview-draft', worded), undefined);
  });

  it('may be none that continues a session or belongs to an agent', () => {
    const never = promptNames.filter((name) => !isOverridable(name));
    assert.deepEqual(never.sort(), [
      'agent-default',
      'agent-disabled',
      'agent-execution-setup-online',
      'agent-read-only',
      'continue',
      'shorter-answer',
    ]);
  });

  it('may not allow or cost more', () => {
    refuses(
      'interview-draft',
      (shipped) => shipped.replace('read_only', 'default'),
      /policy is default; it may not allow more than read_only/,
    );
    refuses(
      'prd-vote',
      (shipped) => shipped.replace('policy: disabled', 'policy: read_only'),
      /not allow more than disabled/,
    );
    refuses('coding', (shipped) => shipped.replace(/^budget: .*$/m, 'budget: 2000000'), /budget/);
  });

  it('is checked like one that ships', () => {
    refuses('prd-draft', (shipped) => shipped.replace('policy:', 'tools:'), /policy|tools/);
    refuses('prd-draft', (shipped) => shipped.replace('---\n', ''), /no front matter/);
    refuses(
      'prd-draft',
      (shipped) => shipped.replace('# Beadsmith task: prd-draft', '# My task'),
      /doesn't begin with/,
    );
    refuses(
      'prd-draft',
      (shipped) => shipped.replace('What a good', '{{hole}} What a good'),
      /inputs and holes differ/,
    );
    refuses(
      'structured-repair',
      (shipped) => shipped.replaceAll('{{problem}}', '').replace('problem, ', ''),
      /missing or extra: problem/,
    );
    refuses(
      'prd-draft',
      (shipped) => shipped.replace('What a good', '## prd\n\nWhat a good'),
      /second level/,
    );
    refuses('prd-draft', (shipped) => `${shipped}${'x'.repeat(100_000)}`, /longer/);
  });

  it('keeps the form of the answer', () => {
    refuses('prd-draft', (shipped) => shipped.replaceAll('END_OF_ANSWER', 'THE END'), /END_OF_ANSWER/);
    refuses('prd-draft', (shipped) => shipped.replace('```\nEND_OF_ANSWER', '```'), /END_OF_ANSWER/);
    refuses(
      'prd-draft',
      (shipped) => shipped.replace('output: YAML PRD', 'output: prose'),
      /output has to stay/,
    );
    refuses(
      'prd-draft',
      (shipped) => shipped.replaceAll('acceptance_criteria', 'criteria'),
      /keys are missing: acceptance_criteria/,
    );
    refuses(
      'interview-qa',
      (shipped) => shipped.replaceAll('</INTERVIEW_COMPLETE>', ''),
      /missing: <\/INTERVIEW_COMPLETE>/,
    );
    refuses('beads-expand', (shipped) => shipped.replaceAll('targetFiles', 'files'), /targetFiles/);
  });
});
