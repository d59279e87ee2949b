import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { slicesOf } from '../../../src/context/allowlists.ts';
import { type SectionName, sectionAllowed, sectionTable } from '../../../src/context/sections.ts';
import type { SliceName } from '../../../src/context/slices.ts';
import { type ContextKey, contextKeys } from '../../../src/domain/workflow/contextKeys.ts';

const root = join(import.meta.dirname, '../../..');
const files = globSync('src/phases/**/*.ts', { cwd: root, exclude: ['src/phases/index.ts'] }).map((file) =>
  file.replaceAll('\\', '/'),
);
const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
const textOf = (file: string): string => texts.get(file) ?? '';
const importsOf = new Map(
  files.map((file) => {
    const names = Array.from(textOf(file).matchAll(/from '(\.[^']+)'/g), ([, name = '']) => name);
    return [
      file,
      names
        .map((name) => relative(root, join(root, dirname(file), name)).replaceAll('\\', '/'))
        .filter((name) => texts.has(name)),
    ];
  }),
);

/** The keys that a file asks models with: it names them, or makes them of a domain. */
function keysOf(file: string): readonly ContextKey[] {
  const text = textOf(file);
  const made = [...text.matchAll(/\$\{domain\}(_\w+)|(coverage)Of\(/g)].map(
    ([, suffix, coverage]) => suffix ?? `_${coverage ?? ''}`,
  );
  return contextKeys.filter(
    (key) =>
      text.includes(`'${key}'`) ||
      (/contextKey|ContextKey/.test(text) && made.some((suffix) => key.endsWith(suffix))),
  );
}

/** A file that asks, what it is built from, and who calls it with something to add. */
function around(asker: string): readonly string[] {
  const found = new Set<string>([
    asker,
    ...files.filter((file) => importsOf.get(file)?.includes(asker) === true),
  ]);
  for (const file of found) for (const name of importsOf.get(file) ?? []) found.add(name);
  return [...found];
}

const writes = new Map<string, (file: string) => boolean>();
for (const name of Object.keys(sectionTable))
  writes.set(name, (file) => new RegExp(`(?:name: |section\\()'${name}'`).test(textOf(file)));

/** Slices that the database has; the others come from who asks. */
const stored: readonly SliceName[] = [
  'ticket_details',
  'relevant_files',
  'interview',
  'prd',
  'beads',
  'beads_draft',
  'execution_setup_profile',
  'execution_setup_plan',
  'execution_setup_plan_notes',
  'execution_setup_notes',
  'final_test_notes',
];
const fieldOf = (slice: SliceName): string =>
  slice.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
const asked = contextKeys.filter((key) => files.some((file) => keysOf(file).includes(key)));

describe('what the context tables declare', () => {
  it('is asked for: every key but one that is only pinned', () => {
    assert.deepEqual(
      contextKeys.filter((key) => !asked.includes(key)),
      ['preflight'],
    );
  });

  it('has a writer: each section in each key that it is declared for', () => {
    const orphans: string[] = [];
    for (const key of asked) {
      const near = files.filter((file) => keysOf(file).includes(key)).flatMap(around);
      for (const name of Object.keys(sectionTable) as SectionName[]) {
        if (sectionAllowed(name, key) && !near.some((file) => writes.get(name)?.(file)))
          orphans.push(`${key}: ${name}`);
      }
    }
    assert.deepEqual(orphans, []);
  });

  it('has a writer: each slice in each key that lists it', () => {
    const orphans: string[] = [];
    for (const key of asked) {
      const near = files
        .filter((file) => keysOf(file).includes(key))
        .flatMap(around)
        .filter((file) => !file.endsWith('/loadContextState.ts'));
      for (const slice of slicesOf(key).filter((name) => !stored.includes(name))) {
        if (!near.some((file) => new RegExp(`\\b${fieldOf(slice)}\\b`).test(textOf(file))))
          orphans.push(`${key}: ${slice}`);
      }
    }
    assert.deepEqual(orphans, []);
    const loaded = textOf('src/phases/shared/ask/loadContextState.ts');
    const isLoaded = (slice: SliceName): boolean =>
      loaded.includes(slice === 'ticket_details' ? 'ticket.description' : `'${slice}'`);
    assert.deepEqual(
      stored.filter((slice) => !isLoaded(slice)),
      [],
    );
  });

  it('is all that is written: no section has another name', () => {
    const known = new Set(Object.keys(sectionTable));
    const unknown = files.flatMap((file) =>
      Array.from(
        textOf(file).matchAll(/(?:\{ name: |section\()'([a-z_]+)'(?: as const)?, (?:content|\()/g),
        ([, name = '']) => name,
      )
        .filter((name) => !known.has(name))
        .map((name) => `${file}: ${name}`),
    );
    assert.deepEqual(unknown, []);
  });
});
