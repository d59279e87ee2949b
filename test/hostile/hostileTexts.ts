/** What models, repositories and commands could write to make a reader compute for long: each is repeated up to the wanted size. */
const units: Readonly<Record<string, string>> = {
  'open braces': '{',
  'open brackets': '[',
  'open objects': '{"a":',
  'closed lists': '[],',
  'quote and backslash': '"\\',
  'double quotes': '"',
  'single quotes': "'",
  'smart quotes': '“',
  backslashes: '\\',
  'empty texts': '"", ',
  spaces: ' ',
  tabs: '\t',
  'no-break spaces': '\u00A0',
  'line feeds': '\n',
  'carriage returns': '\r',
  'both line ends': '\r\n\r',
  'spaces on lines': '  \n',
  'letters on lines': 'a\n',
  dashes: '- ',
  hyphens: '-',
  items: '- a\n',
  backticks: '`',
  'code spans': '`,',
  fences: '```\n',
  'named fences': '```yaml\n',
  tildes: '~~~\n',
  'angle brackets': '<',
  'open tags': '<BEAD_STATUS>',
  'open thoughts': '<think>\n',
  'open records': '<DEV_RECORD>\n',
  'closing tags': '</think>',
  letters: 'a',
  'capital letters': 'A',
  digits: '1',
  'combining marks': '\u0301',
  emoji: '😀',
  'lone surrogates': '\uD83D',
  'zero-width joiners': '\u200D',
  'keys in a line': 'a: ',
  'keys on lines': 'a: b\n',
  'known keys': 'title: b\n',
  'open keys': 'a:\n',
  'open texts': 'a: "b\n',
  'comments with elisions': '# ... rest\n',
  hashes: '#',
  comments: '/*',
  slashes: '/',
  anchors: '- &a a\n',
  aliases: '- *a\n',
  'anchored keys': '&a a: *a\n',
  'tagged texts': '- !a a\n',
  exclamations: '!a ',
  'explicit keys': '? ',
  'block texts': 'a: |\n',
  'folded texts': '>',
  documents: '---\n',
  'end marks': 'END_OF_ANSWER',
  'end marks on lines': 'END_OF_ANSWER\n',
  commas: ',',
  colons: ':',
  dots: '.',
  ellipses: '... ',
  stars: '*',
  'bold keys': '**title',
  equals: '=',
  'at signs': 'a@',
  addresses: 'a://',
  'private keys': '-----BEGIN PRIVATE KEY-----',
  tokens: 'eyJaaaaaaaa.',
  assignments: 'key=',
  percents: '%2F',
  'escape sequences': '\u001B[',
  'operating system commands': '\u001B]',
  suites: '<testcase ',
  'tap lines': 'ok 1 - a\n',
  'failed lines': 'FAILED a::b\n',
  'digit lists': '1. ',
  underscores: 'a_',
  camels: 'aB',
  'words with spaces': 'a ',
  'marked tests': '#[test]\n',
};

/** Texts whose lines differ from one another, or that have a start or an end. */
const made: Readonly<Record<string, (size: number) => string>> = {
  'ever deeper keys': (size) => lines(size, (at) => `${' '.repeat(at)}a:`),
  'ever deeper items': (size) => lines(size, (at) => `${' '.repeat(at)}- a:`),
  'nested lists': (size) => '['.repeat(size / 2) + ']'.repeat(size / 2),
  'nested objects': (size) => '{"a":'.repeat(size / 6) + '1' + '}'.repeat(size / 6),
  'one open text': (size) => `{"a": "${'b'.repeat(size)}`,
  'one long text': (size) => `{"title": "${'b '.repeat(size / 2)}"}`,
  'one long line': (size) => `title: ${'b '.repeat(size / 2)}`,
  'one long key': (size) => `${'b'.repeat(size)}: a`,
  'a line of flows': (size) => `title: ${'[a, {b: c}], '.repeat(size / 13)}`,
  'a text after spaces': (size) => `a${' '.repeat(size)}b`,
  'a key before spaces': (size) => `title:${' '.repeat(size)}b`,
  'different anchors': (size) => lines(size, (at) => `- &a${at} a`),
  'different aliases': (size) => `- &a a\n${lines(size, () => '- *a')}`,
  'different keys': (size) => lines(size, (at) => `a${at}: b`),
  'billion laughs': (size) => `- &a0 [a]\n${lines(size, (at) => `- &a${at + 1} [*a${at}, *a${at}]`)}`,
  'an object of many keys': (size) => `{${lines(size, (at) => `"a${at}": "b",`)}"z": 1}`,
  'a list of objects': (size) => lines(size, (at) => `{"id": "a${at}", "title": "b"}`),
  'a broken list of objects': (size) => lines(size, (at) => `{"id": "a${at}, title: "b"},`),
  'an open list of objects': (size) => `[${lines(size, (at) => `{"id": "a${at}", 'title': "b"},`)}`,
  'long comments in JSON': (size) => `{/*${'*'.repeat(size)}`,
  'many fences with text': (size) => lines(size, (at) => `\`\`\`yaml\ntitle: ${at}\n\`\`\``),
  'ever longer fences': (size) => lines(size, (at) => '`'.repeat(3 + (at % 47))),
  'fenced braces': (size) => `\`\`\`json\n${'{'.repeat(size)}`,
  'tagged braces': (size) => `<BEAD_STATUS>${'{'.repeat(size)}`,
  'tagged brackets with quotes': (size) => `<BEAD_STATUS>\n[${`'a, `.repeat(size / 4)}]`,
  'a broken document': (size) => `title: "a" b\n${lines(size, (at) => `  a${at}: "b" c: d`)}`,
  'a broken document of items': (size) => `title: a: b\nitems:\n${lines(size, (at) => `  - a${at}: "b": c\n   d: e`)}`,
  'a junit report': (size) => `<testsuites>\n${lines(size, (at) => `<testcase name="a${at}">`)}`,
  'lines after a nonce': (size) => `n1\n${'a\n'.repeat(size / 2)}`,
  'numbers on a line': (size) => `=== 1 failed ${'1 passed '.repeat(size / 9)} in 1s`,
};

function lines(size: number, line: (at: number) => string): string {
  const parts: string[] = [];
  let length = 0;
  for (let at = 0; length < size; at++) {
    const part = line(at);
    parts.push(part);
    length += part.length + 1;
  }
  return parts.join('\n');
}

/** Every known worst text, by name, about `size` characters long. */
export function hostileTexts(size: number): ReadonlyMap<string, string> {
  const repeated = Object.entries(units).map(([name, unit]) => [name, repeatedTo(unit, size)] as const);
  return new Map([...repeated, ...Object.entries(made).map(([name, make]) => [name, make(size)] as const)]);
}

export function repeatedTo(unit: string, size: number): string {
  return unit.repeat(Math.ceil(size / unit.length));
}

/** Those that parsers of documents take longest for. */
export const slowestTexts: readonly string[] = [
  'double quotes',
  'letters on lines',
  'lines after a nonce',
  'items',
  'named fences',
  'open thoughts',
  'open tags',
  'anchors',
  'nested lists',
  'billion laughs',
  'an object of many keys',
  'a list of objects',
  'a broken document of items',
  'ever longer fences',
  'marked tests',
];

/** What means something to one of the readers. */
export const trickyParts: readonly string[] = [
  ...['"', "'", '`', '```', '\\', '[', ']', '{', '}', '(', ')', '<', '>', ':', '://', ',', ';', '-', '- ', '.', '..', '/', '@', '#', '%'],
  ...['$', '=', '&', '*', '!', '?', '|', '~', ' ', '  ', '\t', '\n', '\r\n', '\u001B[', '\u001B]', '\u200D', '\uFE0F', 'a', 'A', '1'],
  ...['é', '😀', 'key', 'token', 'eyJ', 'AC', 'AC1', 'US-1', 'in ', 'reset ', '1s ', 'retry', 'ok 1', 'passed', ' in ', '.ts', 'a.b'],
  ...['BEGIN', '<think>', '</think>', 'END_OF_ANSWER', 'Bearer ', 'cookie:', 'password=', 'sk-', '=>', 'export ', 'include ', 'A_', '_'],
  ...['FAIL', '</testcase', '<testcase name="', 'https://', 'home/', '%2F', '~/'],
];
