import { endMark } from '../../../src/context/promptFile.ts';
import { isRecord } from '../../../src/base/json.ts';
import type { Artifact } from './artifacts.ts';
import {
  asAsked,
  enclosed,
  type WriteText,
  bareText,
  withKeys,
  withTexts,
  wordsOf,
  writeYaml,
} from './writing.ts';

/** `change`: what the document says then. `refused`: it must never be taken for a whole document. */
export interface Style {
  readonly name: string;
  readonly change?: (value: unknown) => unknown;
  readonly write: (artifact: Artifact, value: unknown) => string;
  readonly refused?: true;
}

const quoted: WriteText = (text) => JSON.stringify(text);
const starts = [
  '`code` ',
  '@scope/pkg ',
  '100% ',
  '% ',
  '* ',
  '*bold* ',
  '[x] ',
  '[link](to) ',
  '{name} ',
  '> ',
  '!important ',
  '! ',
  '& ',
  '&amp; ',
  '| ',
  '- ',
];
const openings = ['Given', 'Note', 'Fix', 'title', 'See http'];
const guesses = ['1.10', '0x1F', 'yes', '012', '1e3', '2026-01-02', 'off', '.inf', '1_000', '12:30:45'];

const renamed = (name: string, rename: (words: readonly string[]) => string): Style => ({
  name,
  write: (artifact, value) =>
    asAsked(
      artifact,
      withKeys(value, (key) => rename(wordsOf(key))),
    ),
});
const texts = (
  name: string,
  change: (text: string, place: number) => string,
  text: WriteText = bareText,
): Style => ({
  name,
  change: (value) => withTexts(value, change),
  write: (artifact, value) => enclosed(artifact, writeYaml(value, text)),
});
const around = (name: string, write: (answer: string) => string): Style => ({
  name,
  write: (artifact, value) => write(asAsked(artifact, value)),
});
const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
const [nbsp, bom] = ['\u00A0', '\uFEFF'];

/** The fixed words of every contract. */
const words =
  /^(?:foundation|structure|assembly|critical|high|medium|low|modify|read|create|gaps|clean|modified|added|removed|replaced|user_story|epic|bead|updated_prd|updated_beads|already_covered|single_choice|free_text|required|optional|ready|partial|missing|pass|fail)$/;
const withWords = (value: unknown, change: (word: string) => string): unknown => {
  if (typeof value === 'string') return words.test(value) ? change(value) : value;
  if (Array.isArray(value)) return value.map((item) => withWords(item, change));
  return isRecord(value)
    ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withWords(item, change)]))
    : value;
};
/** Marks what was left out at the end of every list, or in the first text where there is no list. */
const withElision = (value: unknown, mark: string): unknown => {
  const walk = (item: unknown): unknown => {
    if (Array.isArray(item)) return [...item.map(walk), mark];
    return isRecord(item)
      ? Object.fromEntries(
          Object.entries(item).map(([key, inner]) => [
            key,
            ['before', 'after'].includes(key) ? inner : walk(inner),
          ]),
        )
      : item;
  };
  const marked = walk(value);
  return JSON.stringify(marked) === JSON.stringify(value)
    ? withTexts(value, (text, place) => (place === 0 ? mark : text))
    : marked;
};

export const readable: readonly Style[] = [
  around('as asked', (answer) => answer),
  around(
    'prose around',
    (answer) =>
      `Sure! Here is the document that you asked for:\n\n${answer}\n\nLet me know if anything is missing.`,
  ),
  around('without the mark', (answer) => answer.replace(`\n${endMark}`, '')),
  around('byte order mark and CRLF', (answer) => `${bom}${answer.replaceAll('\n', '\r\n')}`),
  around(
    'closed thoughts',
    (answer) => `<think>\nThe user wants YAML.\n\`\`\`yaml\ntitle: no\n\`\`\`\n</think>\n${answer}`,
  ),
  around('open thoughts', (answer) => `<think>\nThe user wants YAML, so I write it.\n\n${answer}`),
  around('terminal colours', (answer) => `\u001B[32m${answer}\u001B[0m`),
  around('role prefix', (answer) => `assistant: \n${answer}`),
  {
    name: 'two documents',
    write: (artifact, value) =>
      `${
        artifact.lines
          ? ''
          : `First try:\n\n${asAsked(
              artifact,
              withTexts(value, (text) => `Wrong ${text}`),
            ).replace(`\n${endMark}`, '')}\n\nBetter:\n\n`
      }${asAsked(artifact, value)}`,
  },
  {
    name: 'other fence',
    write: (artifact, value) =>
      `\`\`\`markdown\n${artifact.lines ? asAsked(artifact, value).replace(`\n${endMark}`, '') : writeYaml(value, quoted)}\n\`\`\`\n${endMark}`,
  },
  {
    name: 'bare document',
    write: (artifact, value) =>
      artifact.lines ? asAsked(artifact, value) : `${writeYaml(value, quoted)}\n${endMark}`,
  },
  {
    name: 'unclosed fence',
    write: (artifact, value) =>
      `\`\`\`yaml\n${artifact.lines ? asAsked(artifact, value) : `${writeYaml(value, quoted)}\n${endMark}`}`,
  },
  {
    name: 'fence in the tag',
    write: (artifact, value) => enclosed(artifact, `\`\`\`yml\n${writeYaml(value, quoted)}\n\`\`\``),
  },
  {
    name: 'wrapper',
    write: (artifact, value) => enclosed(artifact, `output:\n${writeYaml({ result: value }, quoted, '  ')}`),
  },
  renamed('camel keys', ([first = '', ...rest]) => first + rest.map(capital).join('')),
  renamed('snake keys', (parts) => parts.join('_')),
  renamed('kebab keys', (parts) => parts.join('-')),
  renamed('title keys', (parts) => parts.map(capital).join(' ')),
  renamed('upper keys', (parts) => parts.join('_').toUpperCase()),
  renamed('singular keys', (parts) =>
    parts
      .join('_')
      .replace(/ies$/, 'y')
      .replace(/([^s])s$/, '$1'),
  ),
  {
    name: 'bold keys',
    write: (artifact, value) =>
      artifact.lines
        ? asAsked(artifact, value)
        : enclosed(artifact, writeYaml(value, quoted).replaceAll(/^( *(?:- )?)([a-zA-Z_]+):/gm, '$1**$2:**')),
  },
  { name: 'JSON', write: (_, value) => `${JSON.stringify(value, null, 2)}\n` },
  {
    name: 'JSON with slips',
    write: (_, value) =>
      `\`\`\`json\n// The document\n${JSON.stringify(value, null, 1)
        .replaceAll(/"(\w+)":/g, '$1:')
        .replaceAll(/([\]}])\n/g, '$1,\n')
        .replace(/,\s*$/, '')}\n\`\`\``,
  },
  { name: 'JSON that is one object', write: (_, value) => JSON.stringify(value) },
  texts('reserved starts', (text, place) => `${starts[place % starts.length] ?? ''}${text}`),
  texts('colons in texts', (text, place) => `${openings[place % openings.length] ?? ''}: ${text}: always`),
  texts('hashes in texts', (text, place) =>
    place % 2 === 0 ? `${text} #12 and more` : `${text} # see below`,
  ),
  texts('inner quotes', (text, place) =>
    place % 2 === 0 ? `"Hi" ${text} "there" it is` : `'tis ${text} isn't`,
  ),
  texts(
    'unescaped quotes',
    (text, place) => `${text} says "hi" twice${place % 2 === 0 ? '' : ' "so"'}`,
    (text) => (text.includes('\n') ? JSON.stringify(text) : `"${text}"`),
  ),
  texts(
    'bad escapes',
    (text, place) => `${text} matches \\d+\\.\\w ${place % 2 === 0 ? 'C:\\new\\table' : '\\$x'}`,
    (text) => (text.includes('\n') ? JSON.stringify(text) : `"${text}"`),
  ),
  texts('guessed scalars', (text, place) =>
    place % 3 === 0 ? (guesses[(place / 3) % guesses.length] ?? '') : text,
  ),
  texts(
    'smart quotes',
    (text) => `${text} isn’t “done”`,
    (text) => (text.includes('\n') ? JSON.stringify(text) : `“${text}”`),
  ),
  texts('blocks with fences', (text) => `${text}:\n\`\`\`sh\nnpm test # all\n\`\`\`\nThen: done`),
  texts(
    'long lines folded',
    (text) => `${text} and that is all there is to say`,
    (text, indent) =>
      text.length > 30 && !text.includes('\n')
        ? text.replace(/ (?=that is)/, `\n${indent}    `)
        : bareText(text, indent),
  ),
  texts(
    'long lines of code folded',
    (text) => `\`node --test\` shows: ${text} and that is all there is to say`,
    (text, indent) =>
      text.length > 30 && !text.includes('\n')
        ? text.replace(/ (?=that is)/, `\n${indent}    `)
        : bareText(text, indent),
  ),
  {
    name: 'tabs',
    write: (artifact, value) =>
      artifact.lines
        ? asAsked(artifact, value)
        : enclosed(
            artifact,
            writeYaml(value, quoted).replaceAll(/^(?: {2})+/gm, (indent) => '\t'.repeat(indent.length / 2)),
          ),
  },
  {
    name: 'tabs after keys',
    write: (artifact, value) =>
      artifact.lines
        ? asAsked(artifact, value)
        : enclosed(artifact, writeYaml(value, quoted).replaceAll(/^( *(?:- )?\w+): (?=\S)/gm, '$1:\t')),
  },
  {
    name: 'non-breaking spaces',
    write: (artifact, value) =>
      artifact.lines
        ? asAsked(artifact, value)
        : enclosed(
            artifact,
            writeYaml(value, quoted).replaceAll(/^ +/gm, (indent) => nbsp.repeat(indent.length)),
          ),
  },
  {
    name: 'indentation drifts',
    write: (artifact, value) =>
      artifact.lines ? asAsked(artifact, value) : enclosed(artifact, drifting(writeYaml(value, quoted))),
  },
  {
    name: 'flat lists',
    write: (artifact, value) =>
      artifact.lines
        ? asAsked(artifact, value)
        : enclosed(artifact, writeYaml(value, quoted).replaceAll(/^ {2}(?=- [^\n]*$)/gm, '  ')),
  },
  {
    name: 'no space after colon',
    write: (artifact, value) =>
      artifact.lines
        ? asAsked(artifact, value)
        : enclosed(artifact, writeYaml(value, quoted).replaceAll(/^( *(?:- )?[a-zA-Z_]+): "/gm, '$1:"')),
  },
  ...['null', '~', 'none', 'N/A', '""', ''].map((nothing): Style => ({
    name: `${nothing === '' ? 'nothing' : nothing} for an empty list`,
    write: (artifact, value) =>
      artifact.lines
        ? asAsked(artifact, value)
        : enclosed(artifact, writeYaml(value, quoted).replaceAll(/: \[\]$/gm, `: ${nothing}`)),
  })),
  {
    name: 'repeated keys',
    write: (artifact, value) =>
      artifact.lines
        ? asAsked(artifact, value)
        : enclosed(
            artifact,
            writeYaml(value, quoted).replaceAll(
              /^( +)(title|reason|summary|phase|rationale): .*$/gm,
              '$&\n$&',
            ),
          ),
  },
  {
    name: 'capital words',
    write: (artifact, value) =>
      asAsked(
        artifact,
        withWords(value, (word) => wordsOf(word).map(capital).join(' ')),
      ),
  },
  {
    name: 'upper words',
    write: (artifact, value) =>
      asAsked(
        artifact,
        withWords(value, (word) => word.toUpperCase()),
      ),
  },
  {
    name: 'numbers as texts',
    write: (artifact, value) =>
      asAsked(artifact, value)
        .replaceAll(/: (\d+)$/gm, ': "$1"')
        .replaceAll(/(coverage|risks): "(\d+)"/g, '$1: $2/20')
        .replaceAll(/: true$/gm, ': yes')
        .replaceAll(/: false$/gm, ': No'),
  },
  {
    name: 'comments',
    write: (artifact, value) =>
      artifact.lines
        ? asAsked(artifact, value)
        : enclosed(
            artifact,
            `# The document\n${writeYaml(value, quoted).replaceAll(/^( *)(\w+):$/gm, '$1# the $2\n$1$2:')}`,
          ),
  },
];

export const refused: readonly Style[] = [
  { name: 'cut off', refused: true, write: (artifact, value) => cut(artifact, value, 0.6) },
  { name: 'cut off late', refused: true, write: (artifact, value) => cut(artifact, value, 0.93) },
  { name: 'JSON cut off', refused: true, write: (_, value) => JSON.stringify(value, null, 2).slice(0, -9) },
  {
    name: 'bare without the mark',
    refused: true,
    write: (artifact, value) =>
      artifact.lines
        ? JSON.stringify(value).slice(0, -2)
        : writeYaml(Object.fromEntries(Object.entries(value as object).slice(0, 1)), quoted),
  },
  {
    name: 'elided by dots',
    refused: true,
    write: (artifact, value) => asAsked(artifact, withElision(value, '...')),
  },
  {
    name: 'elided by words',
    refused: true,
    write: (artifact, value) => asAsked(artifact, withElision(value, '... remaining items unchanged')),
  },
  {
    name: 'elided by a comment',
    refused: true,
    write: (artifact, value) =>
      enclosed(artifact, `${writeYaml(value, quoted)}\n# ... the rest stays as before`),
  },
  {
    name: 'unknown content',
    refused: true,
    write: (artifact, value) =>
      asAsked(
        artifact,
        Array.isArray(value)
          ? value.map((one: object) => ({ ...one, deviation: ['Something nobody asked for'] }))
          : { ...(value as object), deviation: ['Something nobody asked for'] },
      ),
  },
  {
    name: 'repeats the prompt',
    refused: true,
    write: (artifact, value) => `# Beadsmith task: x\n\n${asAsked(artifact, value)}`,
  },
  { name: 'refusal', refused: true, write: () => "I'm sorry, but I can't help with that." },
  {
    name: 'prose',
    refused: true,
    write: () => 'I read the files and everything is fine. The plan: do it well.',
  },
];

function cut(artifact: Artifact, value: unknown, share: number): string {
  const answer = asAsked(artifact, value).replace(`\n${endMark}`, '');
  return answer.slice(0, Math.floor((answer.length - 20) * share));
}

/** Moves every second line that starts an item's further keys one column. */
function drifting(yaml: string): string {
  return yaml
    .split('\n')
    .map((line, index) => (index % 5 === 4 && /^ {4,}\w+: \S/.test(line) ? ` ${line}` : line))
    .join('\n');
}
