import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const root = join(import.meta.dirname, '../../..');
/** The rooms that all others build on: what they export is read far away from where it is written. */
const checked = ['domain', 'engine', 'protocol'];

function docOf(node: ts.Node): string {
  return ts
    .getJSDocCommentsAndTags(node)
    .map((doc) => doc.getText())
    .join('');
}

interface Declared {
  readonly name: string;
  readonly doc: string;
  readonly isExported: boolean;
}

/** The names a statement declares. What a re-export names is documented where it is declared. */
function declaredBy(statement: ts.Statement): readonly Declared[] {
  const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined;
  const isExported = modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false;
  const doc = docOf(statement);
  const named = ts.isVariableStatement(statement)
    ? statement.declarationList.declarations.map(({ name }) => name)
    : [(statement as ts.DeclarationStatement).name];
  return named.flatMap((name) =>
    name !== undefined && ts.isIdentifier(name) ? [{ name: name.text, doc, isExported }] : [],
  );
}

/** Exported names without a docstring. A schema and the type of the same name are one thing to a reader. */
function undocumented(file: string): string[] {
  const source = ts.createSourceFile(
    file,
    readFileSync(join(root, file), 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  );
  const declared = source.statements.flatMap(declaredBy);
  const documented = new Set(declared.filter(({ doc }) => doc !== '').map(({ name }) => name));
  const exported = new Set(declared.filter(({ isExported }) => isExported).map(({ name }) => name));
  return [...exported].filter((name) => !documented.has(name)).map((name) => `${file}: ${name}`);
}

describe('docstrings', () => {
  for (const room of checked) {
    it(`stand above every export of ${room}`, () => {
      const sources = globSync(`src/${room}/**/*.ts`, { cwd: root }).map((file) =>
        file.replaceAll('\\', '/'),
      );
      assert.ok(sources.length > 0);
      assert.deepEqual(sources.flatMap(undocumented), []);
    });
  }

  it('begin with what a thing is or does, and not with a question', () => {
    const question = /\/\*\*\s*(?:\* )?((?:What|Who|Whom|Whose|Where|How|When|Which|Whether|Why)\b[^\n]*)/g;
    const files = globSync(['src/**/*.ts', 'webview-ui/**/*.{ts,tsx}'], { cwd: root });
    const asking = files.flatMap((file) =>
      Array.from(
        readFileSync(join(root, file), 'utf8').matchAll(question),
        ([, text = '']) => `${file}: ${text}`,
      ),
    );
    assert.deepEqual(asking, []);
  });
});
