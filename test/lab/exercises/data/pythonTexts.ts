import type { Exercise } from '../exercise.ts';

/** Texts, in Python. */
export const pythonTexts: readonly Exercise[] = [
  {
    name: 'caesar',
    spec: 'shift(text, by) moves letters along the alphabet, around its end, and leaves everything else.',
    call: 'shift',
    cases: [
      [['abc', 1], 'bcd'],
      [['omg', 0], 'omg'],
      [['Hi, 5', 2], 'Jk, 5'],
      [['xyz', 3], 'abc'],
      [['The End', 13], 'Gur Raq'],
    ],
    missed: 2,
    heldOut: [
      [['Zebra', 26], 'Zebra'],
      [['b', -2], 'z'],
      [['Testing 1 2 3', 30], 'Xiwxmrk 1 2 3'],
    ],
    right: `def shift(text, by):
    def moved(letter):
        if not (letter.isascii() and letter.isalpha()):
            return letter
        first = ord("a" if letter.islower() else "A")
        return chr((ord(letter) - first + by) % 26 + first)

    return "".join(moved(letter) for letter in text)
`,
    wrong: `def shift(text, by):
    return "".join(chr(ord(letter) + by) if letter.isalpha() else letter for letter in text)
`,
  },
  {
    name: 'word-count',
    spec: 'count(text) answers how often each word occurs, in small letters; apostrophes inside of a word belong to it.',
    call: 'count',
    cases: [
      [['one fish two fish'], { one: 1, fish: 2, two: 1 }],
      [[''], {}],
      [['one,two,three'], { one: 1, two: 1, three: 1 }],
      [['Go go GO'], { go: 3 }],
      [["don't 'stop'"], { "don't": 1, stop: 1 }],
    ],
    missed: 2,
    heldOut: [
      [['testing, 1, 2 testing'], { testing: 2, '1': 1, '2': 1 }],
      [["can, can't, 'can'"], { can: 2, "can't": 1 }],
    ],
    right: `import re


def count(text):
    found = {}
    for word in re.findall(r"[a-z0-9]+(?:'[a-z0-9]+)*", text.lower()):
        found[word] = found.get(word, 0) + 1
    return found
`,
    wrong: `import re


def count(text):
    found = {}
    for word in re.findall(r"[a-zA-Z0-9]+", text):
        found[word] = found.get(word, 0) + 1
    return found
`,
  },
  {
    name: 'isbn',
    spec: 'valid(text) says whether a text is an ISBN-10, hyphens allowed; only the last place may be X, for ten.',
    call: 'valid',
    cases: [
      [['3-598-21508-8'], true],
      [['3-598-21508-9'], false],
      [['3598215088'], true],
      [['3-598-21507-X'], true],
      [['3-598-2X507-9'], false],
    ],
    missed: 1,
    heldOut: [
      [['359821507'], false],
      [['3-598-21515-X'], false],
      [['98245726788'], false],
      [['0-306-40615-2'], true],
    ],
    right: `import re


def valid(text):
    digits = text.replace("-", "")
    if not re.fullmatch(r"[0-9]{9}[0-9X]", digits):
        return False
    values = [10 if digit == "X" else int(digit) for digit in digits]
    return sum(value * (10 - place) for place, value in enumerate(values)) % 11 == 0
`,
    wrong: `def valid(text):
    digits = text.replace("-", "")
    values = [10 if digit == "X" else int(digit) for digit in digits]
    return sum(value * (10 - place) for place, value in enumerate(values)) % 11 == 0
`,
  },
  {
    name: 'rotation',
    spec: 'rotated(a, b) says whether b is a turned around some place of itself; the two have to be equally long.',
    call: 'rotated',
    cases: [
      [['abcd', 'cdab'], true],
      [['abcd', 'abcd'], true],
      [['abcd', 'acbd'], false],
      [['', ''], true],
      [['abcd', 'da'], false],
    ],
    missed: 1,
    heldOut: [
      [['aab', 'aba'], true],
      [['ab', ''], false],
      [['abc', 'cabc'], false],
    ],
    right: `def rotated(a, b):
    return len(a) == len(b) and b in a + a
`,
    wrong: `def rotated(a, b):
    return b in a + a
`,
  },
  {
    name: 'luhn',
    spec: 'valid(number) says whether a number with spaces passes the Luhn check: from the right, every second digit is doubled, less nine if above nine, and the sum divides by ten. One digit alone is never valid, and neither is anything but digits and spaces.',
    call: 'valid',
    cases: [
      [['059'], true],
      [['055 444 285'], true],
      [['055 444 286'], false],
      [['8273 1232 7352 0569'], false],
      [['0'], false],
      [['055-444-285'], false],
    ],
    missed: 2,
    heldOut: [
      [[' 0'], false],
      [['0000 0'], true],
      [['091'], true],
      [['055b 444 285'], false],
    ],
    right: `def valid(number):
    digits = number.replace(" ", "")
    if len(digits) < 2 or not (digits.isascii() and digits.isdigit()):
        return False
    total = 0
    for place, digit in enumerate(reversed(digits)):
        value = int(digit) * (2 if place % 2 else 1)
        total += value - 9 if value > 9 else value
    return total % 10 == 0
`,
    wrong: `def valid(number):
    digits = [digit for digit in number if digit.isdigit()]
    total = 0
    for place, digit in enumerate(reversed(digits)):
        value = int(digit) * (2 if place % 2 else 1)
        total += value - 9 if value > 9 else value
    return total % 10 == 0
`,
  },
  {
    name: 'wrap',
    spec: 'wrap(text, width) breaks a text between words into lines of at most that many characters; a longer word has a line of its own.',
    call: 'wrap',
    cases: [
      [
        ['a b c', 3],
        ['a b', 'c'],
      ],
      [['one', 5], ['one']],
      [
        ['aa bb', 2],
        ['aa', 'bb'],
      ],
      [
        ['longest a b', 4],
        ['longest', 'a b'],
      ],
      [['', 4], []],
    ],
    missed: 1,
    heldOut: [
      [
        ['the quick brown fox', 10],
        ['the quick', 'brown fox'],
      ],
      [['  a   b ', 3], ['a b']],
    ],
    right: `def wrap(text, width):
    lines = []
    for word in text.split():
        if lines and len(lines[-1]) + 1 + len(word) <= width:
            lines[-1] += " " + word
        else:
            lines.append(word)
    return lines
`,
    wrong: `def wrap(text, width):
    lines = [""]
    for word in text.split():
        if lines[-1] == "":
            lines[-1] = word
        elif len(lines[-1]) + 1 + len(word) <= width:
            lines[-1] += " " + word
        else:
            lines.append(word)
    return lines
`,
  },
];
