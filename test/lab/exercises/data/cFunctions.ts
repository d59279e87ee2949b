import type { Exercise } from '../exercise.ts';

/** Functions in C. */
export const cFunctions: readonly Exercise[] = [
  {
    name: 'gcd',
    spec: 'gcd(a, b) answers the greatest common divisor; of a number and 0 it is the number, and never negative.',
    call: 'gcd',
    cases: [
      [[12, 8], 4],
      [[7, 3], 1],
      [[6, 6], 6],
      [[-4, 6], 2],
      [[0, -5], 5],
    ],
    missed: 2,
    heldOut: [
      [[270, 192], 6],
      [[-9, -6], 3],
      [[13, 0], 13],
    ],
    right: `long gcd(long a, long b) {
  while (b != 0) {
    long rest = a % b;
    a = b;
    b = rest;
  }
  return a < 0 ? -a : a;
}
`,
    wrong: `long gcd(long a, long b) {
  while (b > 0) {
    long rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}
`,
  },
  {
    name: 'square-sums',
    spec: 'difference(n) answers the square of the sum of the first n numbers less the sum of their squares.',
    call: 'difference',
    cases: [
      [[2], 4],
      [[3], 22],
      [[5], 170],
      [[10], 2640],
      [[100], 25164150],
    ],
    missed: 2,
    heldOut: [
      [[1], 0],
      [[20], 41230],
      [[0], 0],
    ],
    right: `long difference(long n) {
  long sum = n * (n + 1) / 2;
  return sum * sum - n * (n + 1) * (2 * n + 1) / 6;
}
`,
    wrong: `long difference(long n) {
  long sum = n * (n + 1) / 2;
  return sum * sum - n * (n + 1) / 6 * (2 * n + 1);
}
`,
  },
  {
    name: 'binary',
    spec: 'decimal(text) answers the value of a binary number, -1 if a character is no binary digit.',
    call: 'decimal',
    cases: [
      [['0'], 0],
      [['1'], 1],
      [['101'], 5],
      [['0011'], 3],
      [['102'], -1],
      [['1x1'], -1],
    ],
    missed: 2,
    heldOut: [
      [['11010'], 26],
      [['10 1'], -1],
      [['1000000000'], 512],
    ],
    right: `long decimal(const char *a) {
  long value = 0;
  for (; *a; a++) {
    if (*a != '0' && *a != '1') return -1;
    value = 2 * value + (*a - '0');
  }
  return value;
}
`,
    wrong: `long decimal(const char *a) {
  long value = 0;
  for (; *a; a++) value = 2 * value + (*a == '1');
  return value;
}
`,
  },
  {
    name: 'perfect-numbers',
    spec: 'classify(n) answers "perfect", "abundant" or "deficient" by the sum of the proper divisors, "none" below one.',
    call: 'classify',
    cases: [
      [[6], 'perfect'],
      [[12], 'abundant'],
      [[7], 'deficient'],
      [[28], 'perfect'],
      [[1], 'deficient'],
      [[0], 'none'],
    ],
    missed: 2,
    heldOut: [
      [[496], 'perfect'],
      [[30], 'abundant'],
      [[-3], 'none'],
      [[4], 'deficient'],
    ],
    right: `const char *classify(long a) {
  long sum = 0;
  if (a < 1) return "none";
  for (long n = 1; n <= a / 2; n++)
    if (a % n == 0) sum += n;
  return sum == a ? "perfect" : sum > a ? "abundant" : "deficient";
}
`,
    wrong: `const char *classify(long a) {
  long sum = 1;
  for (long n = 2; n <= a / 2; n++)
    if (a % n == 0) sum += n;
  return sum == a ? "perfect" : sum > a ? "abundant" : "deficient";
}
`,
  },
  {
    name: 'space-age',
    spec: 'age(seconds, planet) answers the whole years that somebody is old on "Earth" (31557600 s), "Mercury" (7600544 s) or "Mars" (59354033 s); -1 on any other.',
    call: 'age',
    cases: [
      [[1000000000, 'Earth'], 31],
      [[31557600, 'Earth'], 1],
      [[2134835688, 'Mercury'], 280],
      [[2129871239, 'Mars'], 35],
      [[1, 'Sun'], -1],
    ],
    missed: 2,
    heldOut: [
      [[59354032, 'Mars'], 0],
      [[0, 'Pluto'], -1],
      [[7600544, 'Mercury'], 1],
    ],
    right: `#include <string.h>

long age(long a, const char *b) {
  if (strcmp(b, "Earth") == 0) return a / 31557600;
  if (strcmp(b, "Mercury") == 0) return a / 7600544;
  if (strcmp(b, "Mars") == 0) return a / 59354033;
  return -1;
}
`,
    wrong: `long age(long a, const char *b) {
  return *b == 'E' ? a / 31557600 : a / 7600544;
}
`,
  },
  {
    name: 'nth-prime',
    spec: 'prime(n) answers the n-th prime, 0 for a place that there is not.',
    call: 'prime',
    cases: [
      [[1], 2],
      [[2], 3],
      [[4], 7],
      [[6], 13],
      [[0], 0],
    ],
    missed: 1,
    heldOut: [
      [[5], 11],
      [[100], 541],
      [[-2], 0],
    ],
    right: `static int is_prime(long n) {
  for (long d = 2; d * d <= n; d++)
    if (n % d == 0) return 0;
  return n > 1;
}

long prime(long a) {
  long n = 1;
  if (a < 1) return 0;
  while (a > 0)
    if (is_prime(++n)) a--;
  return n;
}
`,
    wrong: `static int is_prime(long n) {
  for (long d = 2; d * d <= n; d++)
    if (n % d == 0) return 0;
  return n > 1;
}

long prime(long a) {
  long n = 1;
  while (a > 0)
    if (is_prime(++n)) a--;
  return n;
}
`,
  },
  {
    name: 'digits-sum',
    spec: 'root(n) adds the digits of a number again and again until one is left; the sign does not matter.',
    call: 'root',
    cases: [
      [[16], 7],
      [[0], 0],
      [[942], 6],
      [[132189], 6],
      [[-39], 3],
    ],
    missed: 1,
    heldOut: [
      [[493193], 2],
      [[-5], 5],
      [[99999], 9],
    ],
    right: `long root(long a) {
  if (a < 0) a = -a;
  return a == 0 ? 0 : 1 + (a - 1) % 9;
}
`,
    wrong: `long root(long a) {
  while (a > 9) {
    long sum = 0;
    for (; a > 0; a /= 10) sum += a % 10;
    a = sum;
  }
  return a;
}
`,
  },
  {
    name: 'clock',
    spec: 'minutes(hour, minute) answers the minutes since midnight of a time that may be over or under the limits of a day.',
    call: 'minutes',
    cases: [
      [[8, 0], 480],
      [[11, 9], 669],
      [[24, 0], 0],
      [[25, 160], 220],
      [[-1, 15], 1395],
    ],
    missed: 1,
    heldOut: [
      [[0, -1], 1439],
      [[-25, -160], 1220],
      [[100, 40], 280],
    ],
    right: `long minutes(long a, long b) {
  long day = 24 * 60;
  return ((a * 60 + b) % day + day) % day;
}
`,
    wrong: `long minutes(long a, long b) {
  return (a * 60 + b) % (24 * 60);
}
`,
  },
];
