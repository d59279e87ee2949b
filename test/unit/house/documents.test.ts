import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { documentKinds, documentOf } from '../../../src/domain/documents/documents.ts';
import { approvedAt, approvedTogether } from '../../../src/domain/documents/workDocuments.ts';
import { statuses } from '../../../src/domain/workflow/workflow.ts';

const root = join(import.meta.dirname, '../../..');
const text = (file: string): string => readFileSync(join(root, file), 'utf8');
const sources = globSync('src/**/*.ts', { cwd: root }).map((file) => file.replaceAll('\\', '/'));

/** Words that are spelled like a kind and name something else: their own vocabulary says which. */
const otherVocabularies: readonly {
  readonly what: string;
  readonly files: RegExp;
  readonly words?: readonly string[];
}[] = [
  {
    what: 'slices of a prompt',
    files: /^src\/(?:context|demo)\/|^src\/phases\/shared\/ask\/loadContextState\.ts$/,
  },
  {
    what: 'context keys',
    files: /^src\/(?:domain\/contextKeys|phases\/setup\/setupPlan)\.ts$/,
    words: ['execution_setup_plan'],
  },
  {
    what: 'parts of the work',
    files: /^src\/views\/pages\/(?:interviewState|ticketState)\.ts$/,
    words: ['interview'],
  },
  {
    what: 'bead rows and their changes',
    files: /^src\/(?:adapters\/store|engine\/ports|phases(?:\/\w+)?(?:\/gate)?)\//,
    words: ['beads'],
  },
  { what: 'facts of the tree', files: /^src\/views\/tickets\/tree\/\w+\.ts$/, words: ['beads'] },
];

/**
 * The kinds that a file names as literals. Names of members are none: `Store['beads']`,
 * `Pick<Store, 'beads'>`.
 */
function kindsIn(file: string): readonly string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (
      ts.isIndexedAccessTypeNode(node) ||
      (ts.isTypeReferenceNode(node) && /^(?:Pick|Omit)$/.test(node.typeName.getText()))
    )
      return;
    if (ts.isStringLiteralLike(node) && documentKinds.some((kind) => kind === node.text))
      found.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text(file), ts.ScriptTarget.Latest, true));
  return found;
}

/** The file that says what a kind is. */
function homeOf(kind: string): string | undefined {
  return sources.find(
    (file) =>
      /^src\/domain\/(?:documents|requirements)\//.test(file) && text(file).includes(`  kind: '${kind}',`),
  );
}

describe('the table of documents', () => {
  it('names a kind in its own file and in the workflow, and nowhere else', () => {
    const strays = sources
      .filter((file) => !file.startsWith('src/domain/workflow/'))
      .flatMap((file) => kindsIn(file).map((kind) => ({ file, kind })))
      .filter(({ file, kind }) => homeOf(kind) !== file)
      .filter(
        ({ file, kind }) =>
          !otherVocabularies.some(({ files, words }) => files.test(file) && (words?.includes(kind) ?? true)),
      );
    assert.deepEqual(
      strays.map(({ file, kind }) => `${file}: ${kind}`),
      [],
    );
  });

  it('has a gate for every document that is approved', () => {
    const alone = statuses.flatMap((status) =>
      approvedTogether(status).length === 1 ? approvedAt(status) : [],
    );
    for (const kind of documentKinds)
      assert.equal(
        alone.some((approved) => approved === kind),
        documentOf(kind).approval !== undefined,
        kind,
      );
  });

  it('names each file and copy once', () => {
    const names = documentKinds.flatMap((kind) => [documentOf(kind).file, documentOf(kind).title]);
    assert.equal(new Set(names).size, names.length);
  });
});
