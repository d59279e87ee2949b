import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { pureRooms } from '../../../.build/rooms.mjs';

const root = join(import.meta.dirname, '../../..');

/** Faults without a lint rule: a clock by a bare name, zod taken apart, a literal that is spread. */
function faultsIn(file: string, content: string): string[] {
  const isPure = pureRooms.some((room) => file.startsWith(`src/${room}/`));
  if (!content.includes("'zod'") && !(isPure && /\bDate\b/.test(content)) && !/\.\.\.[{[]/.test(content))
    return [];
  const source = ts.createSourceFile(file, content, ts.ScriptTarget.Latest);
  const faults: string[] = [];
  const isDate = (node: ts.Node): boolean => ts.isIdentifier(node) && node.text === 'Date';
  const visit = (node: ts.Node): void => {
    const spreadsLiteral =
      (ts.isSpreadAssignment(node) && ts.isObjectLiteralExpression(node.expression)) ||
      (ts.isSpreadElement(node) && ts.isArrayLiteralExpression(node.expression));
    if (spreadsLiteral) faults.push(`${file}: a literal is spread to save lines; write its members out.`);
    if (isPure && ts.isNewExpression(node) && isDate(node.expression) && (node.arguments ?? []).length === 0)
      faults.push(`${file}: time comes in by the clock port. (\`new Date(ms)\` of a recorded time is fine.)`);
    if (isPure && ts.isCallExpression(node) && isDate(node.expression))
      faults.push(`${file}: time comes in by the clock port.`);
    if (
      ts.isImportDeclaration(node) &&
      ts.isStringLiteral(node.moduleSpecifier) &&
      node.moduleSpecifier.text === 'zod'
    ) {
      const { importClause: clause } = node;
      if (clause?.name || (clause?.namedBindings && ts.isNamedImports(clause.namedBindings)))
        faults.push(`${file}: import * as z, so that the bundles hold only what is used of it.`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return faults;
}

describe('syntax that no rule of lint refuses', () => {
  it('is nowhere', () => {
    const files = globSync(['{src,test}/**/*.ts', 'webview-ui/**/*.{ts,tsx}'], { cwd: root }).map((file) =>
      file.replaceAll('\\', '/'),
    );
    assert.deepEqual(
      files.flatMap((file) => faultsIn(file, readFileSync(join(root, file), 'utf8'))),
      [],
    );
  });

  it('is found: each fault by its file', () => {
    const faulty = [
      'export const now = new Date();',
      'export const now = new Date;',
      'export const now = Date();',
      "import { z } from 'zod';",
      "import z from 'zod';",
      "import type { ZodType } from 'zod';",
      'export const all = { ...{ a, b }, c };',
      'export const all = [...[a, b], c];',
    ];
    for (const content of faulty) assert.equal(faultsIn('src/domain/a.ts', content).length, 1, content);
    const fine = ['export const at = new Date(0); // not Date()', "import * as z from 'zod';"];
    for (const content of fine) assert.deepEqual(faultsIn('src/domain/a.ts', content), []);
    assert.deepEqual(faultsIn('src/host/a.ts', 'export const now = new Date();'), []);
  });
});
