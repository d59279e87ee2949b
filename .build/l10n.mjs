// Collects every text of the code that people see into l10n/bundle.l10n.json, the file that translators start from. `npm run docs` calls it; a
// test compares the file with what this would write. What package.json shows is in package.nls.json, written by hand.
//
//   node .build/l10n.mjs
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import fs from 'node:fs'; // globSync by name would keep Node 20 from reading this file far enough to change over
import { join } from 'node:path';
import { ensureNode24 } from './node24.mjs';
import { root } from './paths.mjs';

const file = join(root, 'l10n', 'bundle.l10n.json');

/**
 * One call of `l10n.t`. `key`: its text, or undefined if it isn't written there. `argument`: what stands in its place. `glued`: it is put together
 * with other words, so that a translator can't order them.
 *
 * @typedef {{ readonly file: string, readonly line: number, readonly key: string | undefined, readonly argument: string, readonly glued: boolean }} Call
 */

/** @type {Promise<readonly Call[]> | undefined} */
let known;

/** Every call of `l10n.t` in what ships; looked for once. @returns {Promise<readonly Call[]>} */
export function l10nCalls() {
  return (known ??= collect());
}

async function collect() {
  const { default: ts } = await import('typescript');
  const files = fs.globSync(['src/**/*.ts', 'webview-ui/**/*.{ts,tsx}'], { cwd: root }).sort();
  return files.flatMap((name) => callsIn(ts, name.replaceAll('\\', '/'), readFileSync(join(root, name), 'utf8')));
}

function callsIn(ts, name, text) {
  if (!text.includes('l10n.t(')) return [];
  const kind = name.endsWith('.tsx') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const source = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true, kind);
  const calls = [];
  const visit = (node) => {
    if (ts.isCallExpression(node) && node.expression.getText() === 'l10n.t') {
      const [argument] = node.arguments;
      const key = argument && ts.isStringLiteralLike(argument) ? argument.text : undefined;
      const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      calls.push({ file: name, line, key, argument: argument?.getText() ?? '', glued: isGlued(ts, node) });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return calls;
}

/** `a + l10n.t(…)`, and a template with words of its own around it. An icon or a separator isn't a word. */
function isGlued(ts, node) {
  const { parent } = node;
  if (ts.isBinaryExpression(parent)) return parent.operatorToken.kind === ts.SyntaxKind.PlusToken;
  if (!ts.isTemplateSpan(parent)) return false;
  const { head, templateSpans } = parent.parent;
  const words = [head.text, ...templateSpans.map(({ literal }) => literal.text)].join(' ').replaceAll(/\$\([\w~-]+\)/g, '');
  return /\p{L}/u.test(words);
}

/**
 * Texts that the domain's tables hold and views translate: names of statuses and columns, sentences of errors and checks, problems of documents.
 *
 * @returns {Promise<readonly string[]>}
 */
export async function tableTexts() {
  const [{ rowOf, statuses }, { errorTexts }, { problemTexts }, { checkTexts }] = await Promise.all([
    import('../src/domain/workflow/workflow.ts'),
    import('../src/domain/errors.ts'),
    import('../src/protocol/language.ts'),
    import('../src/protocol/checks.ts'),
  ]);
  return [
    ...statuses.flatMap((status) => [rowOf(status).label, rowOf(status).column]),
    ...Object.values(errorTexts).flat(),
    ...Object.values(problemTexts),
    ...Object.values(checkTexts).flat(),
  ];
}

/** The whole bundle: each text under itself, sorted. @returns {Promise<Record<string, string>>} */
export async function l10nBundle() {
  const keys = [...(await l10nCalls()).flatMap(({ key }) => key ?? []), ...(await tableTexts())].filter((key) =>
    /\p{L}/u.test(key.replaceAll(kept, '')),
  );
  return Object.fromEntries([...new Set(keys)].sort().map((key) => [key, key]));
}

/** What a translation leaves as it is: placeholders, icons, code, and where links lead. */
const kept = /(\{\w+\}|\$\([\w~-]+\)|\]\([^)]*\)|`[^`]*`)/g;
const accents = {
  a: 'áá',
  e: 'éé',
  i: 'íí',
  o: 'óó',
  u: 'úú',
  y: 'ýý',
  A: 'ÁÁ',
  E: 'ÉÉ',
  I: 'ÍÍ',
  O: 'ÓÓ',
  U: 'ÚÚ',
  Y: 'ÝÝ',
  n: 'ñ',
  c: 'ç',
};

/** A language nobody speaks (qps-ploc): longer than English, full of accents, and readable, so that what isn't translated stands out. @param {string} text */
export function pseudo(text) {
  const parts = text.split(kept);
  return parts.map((part, at) => (at % 2 === 1 ? part : part.replaceAll(/[aeiouyAEIOUYnc]/g, (letter) => accents[letter]))).join('');
}

/** A bundle, or package.nls.json, in that language. @param {Record<string, string>} bundle @returns {Record<string, string>} */
export function pseudoBundle(bundle) {
  return Object.fromEntries(Object.entries(bundle).map(([key, text]) => [key, pseudo(text)]));
}

if (process.argv[1] === import.meta.filename) {
  ensureNode24();
  mkdirSync(join(root, 'l10n'), { recursive: true });
  writeFileSync(file, `${JSON.stringify(await l10nBundle(), null, 2)}\n`);
}
