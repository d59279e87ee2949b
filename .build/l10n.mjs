// Writes every string of the code that people see to l10n/bundle.l10n.json, the file that translators start
// from: `@vscode/l10n-dev` extracts what `l10n.t` is called with, and tables add theirs. `npm run docs` calls
// this; a test compares the file with what the compiler finds in the code. The strings of package.json are in
// package.nls.json, written by hand.
//
//   node .build/l10n.mjs
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import fs from 'node:fs'; // globSync by name would keep Node 20 from reading this file far enough to change over
import { extname, join } from 'node:path';
import { ensureNode24 } from './node24.mjs';
import { root } from './paths.mjs';

const file = join(root, 'l10n', 'bundle.l10n.json');

/**
 * The strings in calls of `l10n.t`, of the extension (`vscode`) and of its pages (`@vscode/l10n`).
 *
 * @returns {Promise<Record<string, string>>}
 */
async function extracted() {
  const { default: dev } = await import('@vscode/l10n-dev');
  const files = fs.globSync(['src/**/*.ts', 'webview-ui/**/*.{ts,tsx}'], { cwd: root });
  return dev.getL10nJson(
    files.map((name) => ({ extension: extname(name), contents: readFileSync(join(root, name), 'utf8') })),
  );
}

/** Names of exports that hold texts to translate: a text, or a table of them. */
const holdTexts = /(?:Texts|Labels|Reasons|Sentence)$/;

/**
 * Texts that tables hold and views translate: every export with such a name, and
 * those of tables that hold more than texts.
 *
 * @returns {Promise<readonly string[]>}
 */
export async function tableTexts() {
  const load = (name) => import(join(root, name));
  const modules = await Promise.all(
    fs.globSync('src/{base,context,domain,protocol}/**/*.ts', { cwd: root }).map(load),
  );
  const exported = modules.flatMap((module) => Object.entries(module));
  const [
    { documentKinds, documentOf },
    { rowOf, statuses },
    { beadStages },
    { failureCauses },
    { loopEnds },
    { limitNames },
    { settingRow },
    { plainText },
    { formActions, formOf },
    { ticketFacts },
    { commandNames, commandRow },
  ] = await Promise.all(
    [
      'src/domain/documents/documents.ts',
      'src/domain/workflow/workflow.ts',
      'src/domain/beads/beadStages.ts',
      'src/domain/beads/failure.ts',
      'src/domain/beads/passes.ts',
      'src/domain/settings/limits.ts',
      'src/domain/settings/rows.ts',
      'src/domain/settings/optionText.ts',
      'src/domain/workflow/forms.ts',
      'src/domain/facts/ticketFacts.ts',
      'src/views/commands/commands.ts',
    ].map(load),
  );
  return [
    ...exported.flatMap(([name, value]) => (holdTexts.test(name) ? textsIn(value) : [])),
    ...statuses.map(rowOf).flatMap(({ label, short = label, column }) => [label, short, column]),
    ...documentKinds
      .map(documentOf)
      .flatMap(({ title, summaries = [], approval }) =>
        [title, ...summaries, approval?.rewindWarning ?? [], approval?.regenerates ?? []].flat(),
      ),
    ...Object.values(beadStages).map(({ label }) => label),
    ...commandNames.map(commandRow).flatMap(({ title, about = '' }) => [title, about]),
    ...Object.values(ticketFacts).map(({ label }) => label),
    ...formActions
      .map(formOf)
      .flatMap(({ about, confirmation = {}, again, fields, done = '' }) => [
        about,
        ...Object.values(confirmation),
        ...Object.values(again?.confirmation ?? {}),
        ...Object.values(fields).flatMap((field) => [
          field.label ?? field.button ?? '',
          field.about,
          field.placeholder ?? '',
          ...Object.values(field.choices ?? {}).flatMap(({ label, about }) => [label, about]),
        ]),
        done,
      ]),
    ...limitNames.map(settingRow).flatMap(({ label = '', about }) => [label, plainText(about)]),
    ...Object.values(loopEnds).map(({ label }) => label),
    ...Object.values(failureCauses).flatMap(({ sentence, nextStep }) => [sentence, nextStep]),
  ];
}

/**
 * All texts of a table, at any depth. @param {unknown} value @returns {readonly string[]}
 */
function textsIn(value) {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/**
 * The whole bundle, sorted: these texts of the code and those of the tables, each under itself. @param
 * {readonly string[]} texts @returns {Promise<Record<string, string>>}
 */
export async function l10nBundle(texts) {
  const tables = (await tableTexts()).filter((text) => /\p{L}/u.test(text.replaceAll(kept, '')));
  const all = [...new Set([...texts, ...tables])].sort((a, b) => (a < b ? -1 : 1));
  return Object.fromEntries(all.map((text) => [text, text]));
}

/** Parts that a translation leaves as they are: placeholders, icons, code, and targets of links. */
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

/**
 * A language nobody speaks (qps-ploc): longer than English, full of accents, and readable, so that what isn't
 * translated stands out. @param {string} text
 */
export function pseudo(text) {
  const parts = text.split(kept);
  return parts
    .map((part, at) =>
      at % 2 === 1 ? part : part.replaceAll(/[aeiouyAEIOUYnc]/g, (letter) => accents[letter]),
    )
    .join('');
}

/**
 * A bundle, or package.nls.json, in that language. @param {Record<string, string>} bundle @returns
 * {Record<string, string>}
 */
export function pseudoBundle(bundle) {
  return Object.fromEntries(Object.entries(bundle).map(([key, text]) => [key, pseudo(text)]));
}

if (process.argv[1] === import.meta.filename) {
  ensureNode24();
  mkdirSync(join(root, 'l10n'), { recursive: true });
  writeFileSync(file, `${JSON.stringify(await l10nBundle(Object.keys(await extracted())), null, 2)}\n`);
}
