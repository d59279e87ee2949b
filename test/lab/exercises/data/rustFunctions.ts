import type { Exercise } from '../exercise.ts';

/** Functions in Rust. */
export const rustFunctions: readonly Exercise[] = [
  {
    name: 'collapse',
    spec: 'collapse(text) replaces every run of white space by one space, and drops it at both ends.',
    call: 'collapse',
    cases: [
      [['a b'], 'a b'],
      [['one'], 'one'],
      [['a  b'], 'a b'],
      [[' a'], 'a'],
      [['b\t \n c '], 'b c'],
    ],
    missed: 2,
    heldOut: [
      [['   '], ''],
      [['x\ny'], 'x y'],
      [['  lead and trail  '], 'lead and trail'],
    ],
    right: `pub fn collapse(a: &str) -> String {
    a.split_whitespace().collect::<Vec<_>>().join(" ")
}
`,
    wrong: `pub fn collapse(a: &str) -> String {
    a.replace("  ", " ")
}
`,
  },
  {
    name: 'fizz-buzz',
    spec: 'fizz(n) answers "Fizz" for multiples of three, "Buzz" of five, "FizzBuzz" of both, else the number.',
    call: 'fizz',
    cases: [
      [[1], '1'],
      [[3], 'Fizz'],
      [[5], 'Buzz'],
      [[7], '7'],
      [[15], 'FizzBuzz'],
    ],
    missed: 1,
    heldOut: [
      [[30], 'FizzBuzz'],
      [[98], '98'],
      [[0], 'FizzBuzz'],
    ],
    right: `pub fn fizz(a: i64) -> String {
    match (a % 3, a % 5) {
        (0, 0) => "FizzBuzz".to_string(),
        (0, _) => "Fizz".to_string(),
        (_, 0) => "Buzz".to_string(),
        _ => a.to_string(),
    }
}
`,
    wrong: `pub fn fizz(a: i64) -> String {
    match (a % 3, a % 5) {
        (0, _) => "Fizz".to_string(),
        (_, 0) => "Buzz".to_string(),
        _ => a.to_string(),
    }
}
`,
  },
  {
    name: 'isogram',
    spec: 'isogram(text) says whether no letter occurs twice, whatever its case; spaces and hyphens may.',
    call: 'isogram',
    cases: [
      [[''], true],
      [['isogram'], true],
      [['eleven'], false],
      [['six-year-old'], true],
      [['Alphabet'], false],
    ],
    missed: 2,
    heldOut: [
      [['lumberjacks'], true],
      [['Emily Jung Schwartzkopf'], true],
      [['zzyzx'], false],
      [['up-to-date'], false],
    ],
    right: `use std::collections::HashSet;

pub fn isogram(a: &str) -> bool {
    let mut seen = HashSet::new();
    a.to_lowercase().chars().filter(|c| c.is_alphabetic()).all(|c| seen.insert(c))
}
`,
    wrong: `use std::collections::HashSet;

pub fn isogram(a: &str) -> bool {
    let mut seen = HashSet::new();
    a.chars().all(|c| seen.insert(c))
}
`,
  },
  {
    name: 'power',
    spec: 'power(base, exponent, modulus) answers the power, modulo the modulus, also where the power itself is too large for 64 bits.',
    call: 'power',
    cases: [
      [[2, 3, 5], 3],
      [[5, 0, 7], 1],
      [[3, 4, 100], 81],
      [[7, 30, 13], 12],
      [[2, 200, 1000007], 446616],
    ],
    missed: 2,
    heldOut: [
      [[10, 18, 7], 1],
      [[3, 100, 50], 1],
      [[2, 64, 11], 5],
    ],
    right: `pub fn power(a: i64, b: i64, c: i64) -> i64 {
    let (mut result, mut base, mut left) = (1 % c, a % c, b);
    while left > 0 {
        if left % 2 == 1 {
            result = result * base % c;
        }
        base = base * base % c;
        left /= 2;
    }
    result
}
`,
    wrong: `pub fn power(a: i64, b: i64, c: i64) -> i64 {
    a.wrapping_pow(b as u32) % c
}
`,
  },
  {
    name: 'nucleotides',
    spec: 'count(letter, strand) answers how often a nucleotide occurs; -1 if the letter or the strand has anything but A, C, G and T.',
    call: 'count',
    cases: [
      [['A', ''], 0],
      [['C', 'CCC'], 3],
      [['T', 'GATTACA'], 2],
      [['X', 'A'], -1],
      [['A', 'AXA'], -1],
    ],
    missed: 2,
    heldOut: [
      [['G', 'GGGGGTAACCCGG'], 7],
      [['C', 'GGXC'], -1],
      [['a', 'A'], -1],
    ],
    right: `pub fn count(a: &str, b: &str) -> i64 {
    let known = |c: char| "ACGT".contains(c);
    if a.chars().count() != 1 || !a.chars().all(known) || !b.chars().all(known) {
        return -1;
    }
    b.matches(a).count() as i64
}
`,
    wrong: `pub fn count(a: &str, b: &str) -> i64 {
    b.matches(a).count() as i64
}
`,
  },
];
