/** They run on Node alone, so that they fit any repository. */
export function noteFiles(bead: string): { readonly module: string; readonly test: string } {
  return { module: `beadsmith-notes/${bead}.mjs`, test: `beadsmith-notes/${bead}.test.mjs` };
}

/** The bead whose module a file is; undefined for any other file. */
export function noteOf(file: string): string | undefined {
  return /^beadsmith-notes\/([a-z0-9-]+)\.mjs$/.exec(file)?.[1];
}

export function noteModule(bead: string, title: string): string {
  return [
    '// Written by a scripted model: it stands in for a real change, so that a ticket can be seen going all the way.',
    `export const note = ${JSON.stringify({ bead, title }, undefined, 2)};`,
    '',
    '/** One line that names the bead and what it is about. */',
    'export function summary() {',
    '  return `${note.bead}: ${note.title}`;',
    '}',
    '',
  ].join('\n');
}

export function noteTest(bead: string, title: string): string {
  return [
    "import assert from 'node:assert/strict';",
    "import { test } from 'node:test';",
    `import { note, summary } from './${bead}.mjs';`,
    '',
    `test(${JSON.stringify(`the note of ${bead} says what it is about`)}, () => {`,
    `  assert.equal(note.title, ${JSON.stringify(title)});`,
    `  assert.equal(summary(), ${JSON.stringify(`${bead}: ${title}`)});`,
    '});',
    '',
  ].join('\n');
}

/** `mark` makes its name unique. Imports the notes of these beads, so that it fails where they aren't. */
export function notesTest(
  mark: string,
  beads: readonly string[],
): { readonly path: string; readonly content: string } {
  const content = [
    "import assert from 'node:assert/strict';",
    "import { test } from 'node:test';",
    '',
    `const notes = ${JSON.stringify(beads.map((bead) => `${bead}.mjs`))};`,
    '',
    `test('every note names its bead (${mark})', async () => {`,
    '  assert.notEqual(notes.length, 0);',
    '  for (const file of notes) {',
    '    const { summary } = await import(`./${file}`);',
    "    assert.ok(summary().startsWith(`${file.replace('.mjs', '')}: `), file);",
    '  }',
    '});',
    '',
  ].join('\n');
  return { path: `beadsmith-notes/final-${mark}.test.mjs`, content };
}
