import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { readFixture } from '../../support/readFixture.ts';
import { tempFolder } from '../../support/tempFolder.ts';

const root = join(import.meta.dirname, '../../..');
const Found = z.object({ diagnostics: z.array(z.object({ code: z.string(), filename: z.string() })) });
const ConfigShape = z.object({ overrides: z.array(z.object({ rules: z.record(z.string(), z.unknown()) })) });
const texts = z.record(z.string(), z.string());
/**
 * By rule, the text of a file that only this rule refuses, or files where the place decides; by the
 * compiler's code, what needs an option of `tsconfig.json`, or other files.
 */
const written = readFixture(
  'lint-faults.yaml',
  z.strictObject({ rules: z.record(z.string(), z.union([z.string(), texts])), types: texts }),
);
const faults = {
  ...written.rules,
  'eslint/max-lines': '// one more line\n'.repeat(601) + 'export const last = 1;',
};
/** Called after the rule. */
const folderOf = (rule: string): string => rule.replace('/', '_');

describe('the rules of lint', () => {
  const project = tempFolder('lint');
  const found = new Map<string, Set<string>>();

  before(async () => {
    for (const file of ['.oxlint.config.mts', '.build/rooms.mjs', 'tsconfig.json', 'package.json']) {
      mkdirSync(dirname(join(project.path, file)), { recursive: true });
      cpSync(join(root, file), join(project.path, file));
    }
    symlinkSync(join(root, 'node_modules'), join(project.path, 'node_modules'), 'junction');
    for (const [rule, fault] of Object.entries({ ...faults, ...written.types }))
      for (const [file, text] of Object.entries(
        typeof fault === 'string' ? { 'src/host/fault.ts': fault } : fault,
      )) {
        const place = join(project.path, dirname(file), folderOf(rule), file.split('/').at(-1) ?? '');
        mkdirSync(dirname(place), { recursive: true });
        writeFileSync(place, `${text}\n`);
      }
    const args = [
      join(root, 'node_modules/oxlint/bin/oxlint'),
      '--config',
      '.oxlint.config.mts',
      '--format',
      'json',
      'src',
    ];
    // It ends with 1, because it finds something.
    const output = await new Promise<string>((resolve) =>
      execFile(process.execPath, args, { cwd: project.path }, (_, stdout) => resolve(stdout)),
    );
    for (const { code, filename } of Found.parse(JSON.parse(output)).diagnostics) {
      const folder = filename.replaceAll('\\', '/').split('/').at(-2) ?? '';
      found.set(folder, (found.get(folder) ?? new Set()).add(code));
    }
  });

  after(() => project.remove());

  it('find each the fault that is theirs', () => {
    const missed = Object.keys(faults).filter(
      (rule) => !found.get(folderOf(rule))?.has(rule.replace(/\/(.*)$/, '($1)')),
    );
    assert.deepEqual(missed, []);
  });

  it('come with what the compiler finds', () => {
    const missed = Object.keys(written.types).filter((code) => !found.get(code)?.has(`typescript(${code})`));
    assert.deepEqual(missed, []);
  });

  it('have each a fault here', async () => {
    const { default: config } = (await import('../../../.oxlint.config.mts')) as { default: unknown };
    const rules = ConfigShape.parse(config).overrides.flatMap((override) => Object.entries(override.rules));
    const on = new Set(rules.filter(([, level]) => level !== 'off').map(([rule]) => rule));
    assert.deepEqual([...on].sort(), Object.keys(faults).sort());
  });
});
