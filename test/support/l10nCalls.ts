import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const root = join(import.meta.dirname, '../..');

export interface L10nCall {
  readonly file: string;
  readonly line: number;
  /** Undefined if it isn't a literal. */
  readonly key: string | undefined;
  readonly argument: string;
  /** With other words, so that a translator can't order them. */
  readonly isGlued: boolean;
  /** Runs while the file is loaded, outside of any function. */
  readonly isEarly: boolean;
}

/** Found by the compiler and not by the extractor. */
export function l10nCalls(): readonly L10nCall[] {
  return sources('{src,webview-ui}/**/*.{ts,tsx}').flatMap((source) =>
    found(source, (node) => callOf(source, node)),
  );
}

/** As `file:line words`. Without the page of the command line's server, which is English as all of it. */
export function wordsInMarkup(): readonly string[] {
  return sources('webview-ui/!(served)/**/*.tsx').flatMap((source) =>
    found(source, (node) => {
      const words = wordsOf(node);
      return words !== undefined && /\p{L}/u.test(words)
        ? `${source.fileName}:${String(lineOf(source, node))} ${words.trim()}`
        : undefined;
    }),
  );
}

function sources(pattern: string): readonly ts.SourceFile[] {
  return globSync(pattern, { cwd: root })
    .sort()
    .map((name) => {
      const kind = name.endsWith('.tsx') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
      return ts.createSourceFile(
        name.replaceAll('\\', '/'),
        readFileSync(join(root, name), 'utf8'),
        ts.ScriptTarget.Latest,
        true,
        kind,
      );
    });
}

function found<T>(source: ts.SourceFile, pick: (node: ts.Node) => T | undefined): readonly T[] {
  const all: T[] = [];
  const visit = (node: ts.Node): void => {
    const one = pick(node);
    if (one !== undefined) all.push(one);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return all;
}

function lineOf(source: ts.SourceFile, node: ts.Node): number {
  return source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
}

function callOf(source: ts.SourceFile, node: ts.Node): L10nCall | undefined {
  if (!ts.isCallExpression(node) || node.expression.getText() !== 'l10n.t') return undefined;
  const [argument] = node.arguments;
  return {
    file: source.fileName,
    line: lineOf(source, node),
    key: argument && ts.isStringLiteralLike(argument) ? argument.text : undefined,
    argument: argument?.getText() ?? '',
    isGlued: isGlued(node),
    isEarly: ts.findAncestor(node, (parent) => ts.isFunctionLike(parent)) === undefined,
  };
}

/** `a + l10n.t(…)`, or a template with words of its own. An icon or a separator isn't a word. */
function isGlued({ parent }: ts.CallExpression): boolean {
  if (ts.isBinaryExpression(parent)) return parent.operatorToken.kind === ts.SyntaxKind.PlusToken;
  if (!ts.isTemplateSpan(parent)) return false;
  const { head, templateSpans } = parent.parent;
  const words = [head.text, ...templateSpans.map(({ literal }) => literal.text)]
    .join(' ')
    .replaceAll(/\$\([\w~-]+\)/g, '');
  return /\p{L}/u.test(words);
}

const readable = ['label', 'aria-label', 'title', 'placeholder', 'text', 'alt'];

function wordsOf(node: ts.Node): string | undefined {
  if (ts.isJsxText(node)) return node.text;
  if (
    ts.isJsxAttribute(node) &&
    readable.includes(node.name.getText()) &&
    node.initializer &&
    ts.isStringLiteral(node.initializer)
  )
    return node.initializer.text;
  return undefined;
}
