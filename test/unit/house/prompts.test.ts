import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { agentConfigs } from '../../../src/adapters/opencode/agents.ts';

const root = join(import.meta.dirname, '../../..');

/** What OpenCode offers a session under each tool policy, as its contract is tested in test/integration/opencodeContract.test.ts. */
const offered: Readonly<Record<string, readonly string[]>> = {
  disabled: [],
  read_only: ['read', 'grep', 'glob'],
  default: ['read', 'grep', 'glob', 'edit', 'write', 'bash', 'todowrite'],
  execution_setup_online: ['read', 'grep', 'glob', 'edit', 'write', 'bash', 'todowrite', 'webfetch'],
};

/** Rules of OpenCode that aren't the name of a tool. */
const rulesOnly = ['*', 'external_directory'];

const prompts = globSync('prompts/*.md', { cwd: root }).map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));

/** The tools that a text names: rows of plain words with one of the reading tools in them, such as "read, grep and glob". */
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
    const allowed = Object.values(configs).flatMap((config) => Object.keys((config as { permission: object }).permission));
    const known = new Set([...rulesOnly, ...Object.values(offered).flat()]);
    assert.deepEqual(
      allowed.filter((name) => !known.has(name)),
      [],
    );
  });
});
