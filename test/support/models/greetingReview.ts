import { noteFiles, noteTest } from '../../../src/demo/generic/noteFiles.ts';

export function greetingFinding(bead: string, fields: Readonly<Record<string, unknown>> = {}) {
  return {
    severity: 'high',
    category: 'correctness',
    file: noteFiles(bead).module,
    line: 1,
    claim: 'Nobody is greeted.',
    confidence: 0.9,
    evidence: 'export function summary() {',
    suggestedFix: 'Export a greeting.',
    ...fields,
  };
}

export function greetingTest(bead: string) {
  const { test } = noteFiles(bead);
  return {
    file: test,
    content: `${noteTest(bead, 'Greet by name')}\nimport * as all from './${bead}.mjs';\n\ntest('it greets', () => assert.equal(all.greeting, 'Hello'));\n`,
    command: `node --test ${test}`,
  };
}

export function greetingEdit(bead: string) {
  return {
    filePath: noteFiles(bead).module,
    oldString: 'export function summary() {',
    newString: "export const greeting = 'Hello';\n\nexport function summary() {",
  };
}
