import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { documentKinds } from '../../../src/domain/documents/documents.ts';
import { limitNames } from '../../../src/domain/settings/limits.ts';
import { actionNames } from '../../../src/domain/workflow/actions.ts';
import { statuses } from '../../../src/domain/workflow/workflow.ts';

const root = join(import.meta.dirname, '../../..');
/** What a store keeps has names of its own, for example the change that replaces the beads. */
const files = globSync('src/engine/{run,journal,drive}/**/*.ts', { cwd: root });
const names = new Set<string>([
  ...statuses,
  ...limitNames,
  ...documentKinds,
  'bead',
  // A step that asks takes the reply itself; `cancel` is also why a handler is ended, and `continue` how a
  // step is entered.
  ...actionNames.filter(
    (action) => !['question_reply', 'permission_reply', 'cancel', 'continue'].includes(action),
  ),
]);

describe('the engine', () => {
  it('knows no status, action, document or limit by name, and no bead: the tables say what happens', () => {
    assert.ok(files.length > 10);
    const found = files.flatMap((file) =>
      literalsOf(file)
        .filter((text) => names.has(text) || /^bead[_:]/.test(text))
        .map((text) => `${file}: ${text}`),
    );
    assert.deepEqual(found, []);
  });
});

/** Texts between quotation marks, without those of types that only say what may be chosen from a table. */
function literalsOf(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest);
  const texts: string[] = [];
  const walk = (node: ts.Node): void => {
    if (ts.isTypeNode(node)) return;
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) || ts.isTemplateHead(node))
      texts.push(node.text);
    ts.forEachChild(node, walk);
  };
  walk(source);
  return texts;
}
