import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { agentConfigs } from '../../../src/adapters/opencode/client/agents.ts';
import { planPrompt } from '../../../src/context/planPrompt.ts';
import { hasTitle, parsePromptFile } from '../../../src/context/promptFile.ts';

const root = join(import.meta.dirname, '../../..');

/**
 * What OpenCode offers a session under each tool policy, as its contract is tested in
 * test/integration/opencodeContract.test.ts.
 */
const offered: Readonly<Record<string, readonly string[]>> = {
  disabled: [],
  read_only: ['read', 'grep', 'glob'],
  default: ['read', 'grep', 'glob', 'edit', 'write', 'bash', 'todowrite'],
  execution_setup_online: ['read', 'grep', 'glob', 'edit', 'write', 'bash', 'todowrite', 'webfetch'],
};

/** Rules of OpenCode that aren't the name of a tool. */
const rulesOnly = ['*', 'external_directory'];

const prompts = globSync('prompts/*.md', { cwd: root }).map((file) => ({
  file,
  text: readFileSync(join(root, file), 'utf8'),
}));

/**
 * The tools that a text names: rows of plain words with one of the reading tools in them, such as "read, grep
 * and glob".
 */
function namedTools(text: string): readonly string[] {
  const rows = text.match(/\b[a-z]+(?:(?:, | and | or |, and )[a-z]+)+\b/g) ?? [];
  return rows.flatMap((row) => {
    const tools = row.split(/, and |, | and | or /);
    return tools.some((tool) => ['grep', 'glob'].includes(tool)) ? tools : [];
  });
}

describe('tools that prompts name', () => {
  it('are offered under the tool policy of the prompt', () => {
    const missing = prompts.flatMap(({ file, text }) => {
      const policy = /^policy: (\w+)$/m.exec(text)?.[1] ?? '';
      return namedTools(text)
        .filter((tool) => offered[policy]?.includes(tool) !== true)
        .map((tool) => `${file}: ${tool}`);
    });
    assert.deepEqual(missing, []);
    assert.ok(prompts.filter(({ text }) => namedTools(text).length > 0).length > 15);
  });

  it('do not include one to list', () => {
    assert.deepEqual(
      prompts.filter(({ text }) => /read, search and list\b/.test(text)).map(({ file }) => file),
      [],
    );
  });

  it('are the only ones that agents allow', () => {
    const configs = agentConfigs({ disabled: '', read_only: '', default: '', execution_setup_online: '' });
    const allowed = Object.values(configs).flatMap((config) =>
      Object.keys((config as { permission: object }).permission),
    );
    const known = new Set([...rulesOnly, ...Object.values(offered).flat()]);
    assert.deepEqual(
      allowed.filter((name) => !known.has(name)),
      [],
    );
  });
});

describe('the last line of a prompt', () => {
  const tasks = prompts
    .map(({ file, text }) => parsePromptFile(basename(file, '.md'), text))
    .filter(({ name }) => hasTitle(name));
  const sent = (file: (typeof tasks)[number]): string => {
    const inputs = Object.fromEntries(file.inputs.map((input) => [input, 'x']));
    const data = { name: 'gaps', kind: 'section', stability: 3, content: 'x', tokens: 1 } as const;
    return planPrompt({
      key: 'coding',
      file,
      inputs,
      parts: [data],
      reductions: [],
      tokens: 1,
      budget: 1,
      model: 'p/m',
    }).text;
  };

  it('says what to answer, behind all data: the form, how it begins and how it ends', () => {
    for (const file of tasks) {
      const last = sent(file).split('\n').at(-1) ?? '';
      assert.ok(last.startsWith(`Do this task now. Your answer: ${file.output}.`), `${file.name}: ${last}`);
      for (const first of file.begins ?? [])
        assert.ok(last.includes(`\`${first}\``), `${file.name}: ${last}`);
      assert.equal(
        last.endsWith('ends with the line END_OF_ANSWER.'),
        file.body.includes('END_OF_ANSWER'),
        `${file.name}: ${last}`,
      );
    }
  });

  it('says the beginning that the task’s own text asks for', () => {
    const odd = tasks.flatMap(({ name, body, begins = [] }) => [
      ...begins
        .filter((first) => !body.includes(`\n${first}`) && !body.includes(`\`${first}\``))
        .map((first) => `${name}: no ${first}`),
      ...(/^(?:```yaml|<[A-Z_]+>)$/m.test(body) && begins.length === 0
        ? [`${name}: begins with nothing`]
        : []),
    ]);
    assert.deepEqual(odd, []);
    assert.ok(tasks.filter(({ begins }) => begins).length > 35);
  });
});
