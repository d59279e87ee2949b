import type { Exercise } from '../exercise.ts';

/** Texts, in JavaScript. */
export const javascriptTexts: readonly Exercise[] = [
  {
    name: 'roman-numerals',
    spec: 'roman(n) writes a whole number from 1 to 3999 in Roman numerals.',
    call: 'roman',
    cases: [
      [[1], 'I'],
      [[8], 'VIII'],
      [[66], 'LXVI'],
      [[4], 'IV'],
      [[944], 'CMXLIV'],
    ],
    missed: 2,
    heldOut: [
      [[1999], 'MCMXCIX'],
      [[49], 'XLIX'],
      [[3888], 'MMMDCCCLXXXVIII'],
    ],
    right: `const signs = [[1000, 'M'], [900, 'CM'], [500, 'D'], [400, 'CD'], [100, 'C'], [90, 'XC'], [50, 'L'], [40, 'XL'], [10, 'X'], [9, 'IX'], [5, 'V'], [4, 'IV'], [1, 'I']];

export function roman(n) {
  let text = '';
  for (const [value, sign] of signs) {
    text += sign.repeat(Math.floor(n / value));
    n %= value;
  }
  return text;
}
`,
    wrong: `const signs = [[1000, 'M'], [500, 'D'], [100, 'C'], [50, 'L'], [10, 'X'], [5, 'V'], [1, 'I']];

export function roman(n) {
  let text = '';
  for (const [value, sign] of signs) {
    text += sign.repeat(Math.floor(n / value));
    n %= value;
  }
  return text;
}
`,
  },
  {
    name: 'run-length',
    spec: 'encode(text) writes runs of a character as count and character; a run of one is the character alone.',
    call: 'encode',
    cases: [
      [[''], ''],
      [['aabbb'], '2a3b'],
      [['zzz'], '3z'],
      [['abc'], 'abc'],
      [['wwb'], '2wb'],
    ],
    missed: 2,
    heldOut: [
      [['aaaaaaaaaaaab'], '12ab'],
      [['  x'], '2 x'],
    ],
    right: `export function encode(text) {
  return text.replace(/(.)\\1*/gs, (run) => (run.length > 1 ? run.length + run[0] : run));
}
`,
    wrong: `export function encode(text) {
  return text.replace(/(.)\\1*/gs, (run) => run.length + run[0]);
}
`,
  },
  {
    name: 'anagram',
    spec: 'anagrams(word, candidates) keeps the candidates that have the same letters, whatever their case; the word itself is none.',
    call: 'anagrams',
    cases: [
      [['listen', ['enlists', 'silent', 'google']], ['silent']],
      [['good', ['dog', 'goody']], []],
      [
        ['allergy', ['gallery', 'regally']],
        ['gallery', 'regally'],
      ],
      [['Orchestra', ['cashregister', 'carthorse']], ['carthorse']],
      [['stone', ['stone', 'Tones']], ['Tones']],
    ],
    missed: 2,
    heldOut: [
      [['Banana', ['banana']], []],
      [['tapper', ['patter']], []],
      [
        ['LEMONS', ['melons', 'solemn', 'Lemons']],
        ['melons', 'solemn'],
      ],
    ],
    right: `const letters = (word) => [...word.toLowerCase()].sort().join('');

export function anagrams(word, candidates) {
  return candidates.filter((one) => one.toLowerCase() !== word.toLowerCase() && letters(one) === letters(word));
}
`,
    wrong: `const letters = (word) => [...word].sort().join('');

export function anagrams(word, candidates) {
  return candidates.filter((one) => letters(one) === letters(word));
}
`,
  },
  {
    name: 'acronym',
    spec: 'acronym(phrase) answers the first letters of the words in capitals. Hyphens separate words, other punctuation does not.',
    call: 'acronym',
    cases: [
      [['Portable Network Graphics'], 'PNG'],
      [['Ruby on Rails'], 'ROR'],
      [['First in first out'], 'FIFO'],
      [['Complementary metal-oxide semiconductor'], 'CMOS'],
      [["Halley's Comet"], 'HC'],
    ],
    missed: 1,
    heldOut: [
      [['Something - I made up from thin air'], 'SIMUFTA'],
      [['The Road _Not_ Taken'], 'TRNT'],
    ],
    right: `export function acronym(phrase) {
  return phrase.replace(/['_]/g, '').split(/[^\\p{L}]+/u).filter(Boolean).map((word) => word[0].toUpperCase()).join('');
}
`,
    wrong: `export function acronym(phrase) {
  return phrase.split(/[^\\p{L}]+/u).filter(Boolean).map((word) => word[0].toUpperCase()).join('');
}
`,
  },
  {
    name: 'pangram',
    spec: 'missing(text) answers the letters a to z that do not occur, in order; case does not matter.',
    call: 'missing',
    cases: [
      [['abcdefghijklmnopqrstuvwxyz'], ''],
      [['the quick brown fox jumps over the lazy dog'], ''],
      [['a quick movement of the enemy will jeopardize five gunboats'], 'x'],
      [['"Five quacking Zephyrs jolt my wax bed."'], ''],
    ],
    missed: 1,
    heldOut: [
      [['ABCDEFGHIJKLM'], 'nopqrstuvwxyz'],
      [['Cwm fjord bank glyphs vext qui'], 'z'],
    ],
    right: `export function missing(text) {
  const seen = new Set(text.toLowerCase());
  return [...'abcdefghijklmnopqrstuvwxyz'].filter((letter) => !seen.has(letter)).join('');
}
`,
    wrong: `export function missing(text) {
  const seen = new Set(text);
  return [...'abcdefghijklmnopqrstuvwxyz'].filter((letter) => !seen.has(letter)).join('');
}
`,
  },
  {
    name: 'brackets',
    spec: 'balanced(text) says whether every bracket of (), [] and {} is closed in the right order; everything else is passed over.',
    call: 'balanced',
    cases: [
      [['[]'], true],
      [['{ok}'], true],
      [['(('], false],
      [['([{}({}[])])'], true],
      [['([)]'], false],
    ],
    missed: 1,
    heldOut: [
      [['}{'], false],
      [['(((185 + 223.85) * 15) - 543)/2'], true],
      [['{[)][]}'], false],
    ],
    right: `const pairs = { ')': '(', ']': '[', '}': '{' };

export function balanced(text) {
  const open = [];
  for (const sign of text) {
    if ('([{'.includes(sign)) open.push(sign);
    else if (sign in pairs && open.pop() !== pairs[sign]) return false;
  }
  return open.length === 0;
}
`,
    wrong: `export function balanced(text) {
  const count = (sign) => text.split(sign).length;
  return count('(') === count(')') && count('[') === count(']') && count('{') === count('}');
}
`,
  },
  {
    name: 'pig-latin',
    spec: 'pigLatin(word): a word that begins with a vowel gets "ay"; else its leading consonants move to the end first, and "qu" moves together.',
    call: 'pigLatin',
    cases: [
      [['apple'], 'appleay'],
      [['pig'], 'igpay'],
      [['chair'], 'airchay'],
      [['queen'], 'eenquay'],
      [['square'], 'aresquay'],
    ],
    missed: 2,
    heldOut: [
      [['thrush'], 'ushthray'],
      [['equal'], 'equalay'],
      [['quick'], 'ickquay'],
    ],
    right: `export function pigLatin(word) {
  const [, start, rest] = /^([^aeiou]*qu|[^aeiou]*)(.*)$/.exec(word);
  return rest + start + 'ay';
}
`,
    wrong: `export function pigLatin(word) {
  const [, start, rest] = /^([^aeiou]*)(.*)$/.exec(word);
  return rest + start + 'ay';
}
`,
  },
  {
    name: 'slug',
    spec: 'slug(title) answers small letters and digits with single hyphens between the words; accents are dropped.',
    call: 'slug',
    cases: [
      [['Hello World'], 'hello-world'],
      [['One, two; three!'], 'one-two-three'],
      [['v2 is out'], 'v2-is-out'],
      [['  Trim me  '], 'trim-me'],
      [['Crème brûlée'], 'creme-brulee'],
    ],
    missed: 2,
    heldOut: [
      [['--dashes--'], 'dashes'],
      [['Ça va ? Très bien.'], 'ca-va-tres-bien'],
    ],
    right: `export function slug(title) {
  const plain = title.normalize('NFD').replace(/\\p{M}/gu, '').toLowerCase();
  return plain.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '');
}
`,
    wrong: `export function slug(title) {
  return title.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/-$/, '');
}
`,
  },
];
