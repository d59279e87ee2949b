import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildMinimalContext } from '../../../src/context/buildMinimalContext.ts';
import type { ContextState } from '../../../src/context/contextState.ts';
import { planPrompt } from '../../../src/context/planPrompt.ts';
import { parsePromptFile } from '../../../src/context/promptFile.ts';
import { promptNames, promptUse } from '../../../src/context/promptInventory.ts';
import { contextKeys } from '../../../src/domain/workflow/contextKeys.ts';
import { emptyContextState } from '../../support/samples.ts';

const repositories = {
  Python: {
    file: 'src/shop/total.py',
    command: 'python3 -m pytest -q tests/test_total.py',
    manifest: 'pyproject.toml',
  },
  Go: { file: 'internal/shop/total.go', command: 'go test ./internal/shop', manifest: 'go.mod' },
};

function stateOf({ file, command, manifest }: (typeof repositories)['Go']): ContextState {
  const text = `${file} is tested by \`${command}\`; ${manifest} names the dependencies.`;
  const entries = Object.entries(emptyContextState).map(([field, empty]) => [
    field,
    Array.isArray(empty) ? [text] : text,
  ]);
  return Object.fromEntries(entries) as ContextState;
}

const javaScript =
  /\b(?:javascript|typescript|node(?:\.?js|_modules)?|npm|npx|pnpm|yarn|bun|deno|package(?:-lock)?\.json|tsconfig|jest|mocha|vitest|eslint|prettier|zod)\b|\.[cm]?[jt]sx?\b|require\(|=> \{|\bconst\b/i;

describe('prompts for a repository in another language', () => {
  for (const [language, repository] of Object.entries(repositories))
    for (const name of promptNames)
      it(`hold no JavaScript: ${name} for ${language}`, async () => {
        const file = parsePromptFile(
          name,
          readFileSync(join(import.meta.dirname, `../../../prompts/${name}.md`), 'utf8'),
        );
        const { keys } = promptUse(name);
        const inputs = Object.fromEntries(file.inputs.map((input) => [input, repository.command]));
        for (const key of keys === 'any' ? contextKeys.slice(0, 1) : keys) {
          const context = await buildMinimalContext(key, stateOf(repository), {
            budget: 1_000_000,
            count: (text) => text.length,
            sections: [],
          });
          const { stable, text } = planPrompt({
            key,
            file,
            inputs,
            ...context,
            budget: 1_000_000,
            model: 'provider/model',
          });
          const found = `${stable}\n${text}`.split('\n').filter((line) => javaScript.test(line));
          assert.deepEqual(found, [], key);
        }
      });
});
