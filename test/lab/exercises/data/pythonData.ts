import type { Exercise } from '../exercise.ts';

/** Numbers and lists, in Python. */
export const pythonData: readonly Exercise[] = [
  {
    name: 'leap-year',
    spec: 'leap(year): every fourth year, but of full centuries only every fourth.',
    call: 'leap',
    cases: [
      [[2015], false],
      [[1996], true],
      [[2023], false],
      [[1900], false],
      [[2000], true],
    ],
    missed: 1,
    heldOut: [
      [[2100], false],
      [[2400], true],
      [[1800], false],
    ],
    right: `def leap(year):
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
`,
    wrong: `def leap(year):
    return year % 4 == 0 and year % 100 != 0
`,
  },
  {
    name: 'collatz',
    spec: 'steps(n) counts the steps of the Collatz rule down to one; below one there is no answer, None.',
    call: 'steps',
    cases: [
      [[1], 0],
      [[16], 4],
      [[12], 9],
      [[0], null],
      [[-15], null],
    ],
    missed: 2,
    heldOut: [
      [[27], 111],
      [[-1], null],
      [[7], 16],
    ],
    right: `def steps(n):
    if n < 1:
        return None
    count = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        count += 1
    return count
`,
    wrong: `def steps(n):
    count = 0
    while n > 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        count += 1
    return count
`,
  },
  {
    name: 'pascal',
    spec: 'rows(n) answers the first n rows of Pascal’s triangle.',
    call: 'rows',
    cases: [
      [[1], [[1]]],
      [[2], [[1], [1, 1]]],
      [[3], [[1], [1, 1], [1, 2, 1]]],
      [[5], [[1], [1, 1], [1, 2, 1], [1, 3, 3, 1], [1, 4, 6, 4, 1]]],
      [[0], []],
    ],
    missed: 2,
    heldOut: [
      [[4], [[1], [1, 1], [1, 2, 1], [1, 3, 3, 1]]],
      [[6], [[1], [1, 1], [1, 2, 1], [1, 3, 3, 1], [1, 4, 6, 4, 1], [1, 5, 10, 10, 5, 1]]],
    ],
    right: `def rows(n):
    found = []
    for _ in range(n):
        last = found[-1] if found else []
        found.append([1] + [a + b for a, b in zip(last, last[1:])] + ([1] if last else []))
    return found
`,
    wrong: `def rows(n):
    found = [[1]]
    for size in range(1, n):
        found.append([1] + [2] * (size - 1) + [1])
    return found
`,
  },
  {
    name: 'merge-intervals',
    spec: 'merge(intervals) joins intervals that overlap or touch, and answers them in order.',
    call: 'merge',
    cases: [
      [
        [
          [
            [1, 3],
            [2, 6],
          ],
        ],
        [[1, 6]],
      ],
      [[[]], []],
      [
        [
          [
            [1, 2],
            [5, 6],
          ],
        ],
        [
          [1, 2],
          [5, 6],
        ],
      ],
      [
        [
          [
            [5, 6],
            [1, 3],
          ],
        ],
        [
          [1, 3],
          [5, 6],
        ],
      ],
      [
        [
          [
            [1, 9],
            [2, 3],
          ],
        ],
        [[1, 9]],
      ],
    ],
    missed: 2,
    heldOut: [
      [
        [
          [
            [1, 4],
            [4, 5],
          ],
        ],
        [[1, 5]],
      ],
      [
        [
          [
            [8, 9],
            [1, 5],
            [2, 3],
          ],
        ],
        [
          [1, 5],
          [8, 9],
        ],
      ],
    ],
    right: `def merge(intervals):
    merged = []
    for start, end in sorted(intervals):
        if merged and start <= merged[-1][1]:
            merged[-1][1] = max(merged[-1][1], end)
        else:
            merged.append([start, end])
    return merged
`,
    wrong: `def merge(intervals):
    merged = []
    for start, end in intervals:
        if merged and start <= merged[-1][1]:
            merged[-1][1] = end
        else:
            merged.append([start, end])
    return merged
`,
  },
  {
    name: 'largest-product',
    spec: 'largest(digits, span) answers the largest product of so many digits in a row; 1 for a span of 0, and -1 if there are too few digits.',
    call: 'largest',
    cases: [
      [['29', 2], 18],
      [['0123456789', 2], 72],
      [['576802143', 2], 48],
      [['', 0], 1],
      [['12', 3], -1],
    ],
    missed: 2,
    heldOut: [
      [['1027839564', 3], 270],
      [['0000', 2], 0],
      [['123', 0], 1],
      [['', 1], -1],
    ],
    right: `from math import prod


def largest(digits, span):
    if span > len(digits):
        return -1
    values = [int(digit) for digit in digits]
    return max(prod(values[at : at + span]) for at in range(len(values) - span + 1))
`,
    wrong: `from math import prod


def largest(digits, span):
    values = [int(digit) for digit in digits]
    return max([prod(values[at : at + span]) for at in range(len(values) - span + 1) if span] or [0])
`,
  },
  {
    name: 'scores',
    spec: 'top(scores, n) answers the n highest scores, highest first; all of them if there are fewer. The list that was given stays as it is.',
    call: 'top',
    cases: [
      [[[10, 30, 90], 1], [90]],
      [
        [[1, 2], 3],
        [2, 1],
      ],
      [[[], 2], []],
      [
        [[40, 20, 40, 30], 3],
        [40, 40, 30],
      ],
      [
        [[5, 10], 2],
        [10, 5],
      ],
    ],
    missed: 2,
    heldOut: [
      [
        [[70, 70, 70], 2],
        [70, 70],
      ],
      [
        [[100, 9, 20], 2],
        [100, 20],
      ],
    ],
    right: `def top(scores, n):
    return sorted(scores, reverse=True)[:n]
`,
    wrong: `def top(scores, n):
    return sorted(set(scores), key=str, reverse=True)[:n]
`,
  },
  {
    name: 'dominoes',
    spec: 'chain(stones) says whether the stones can lie in a closed chain in which touching halves are equal.',
    call: 'chain',
    cases: [
      [[[]], true],
      [[[[1, 1]]], true],
      [[[[1, 2]]], false],
      [
        [
          [
            [1, 2],
            [3, 1],
            [2, 3],
          ],
        ],
        true,
      ],
      [
        [
          [
            [1, 1],
            [2, 2],
          ],
        ],
        false,
      ],
    ],
    missed: 1,
    heldOut: [
      [
        [
          [
            [1, 2],
            [2, 1],
            [3, 4],
            [4, 3],
          ],
        ],
        false,
      ],
      [
        [
          [
            [1, 2],
            [5, 3],
            [3, 1],
            [1, 2],
            [2, 4],
            [1, 6],
            [2, 3],
            [3, 4],
            [5, 6],
          ],
        ],
        true,
      ],
    ],
    right: `def chain(stones):
    if not stones:
        return True

    def closes(end, left):
        if not left:
            return end == stones[0][0]
        for at, (a, b) in enumerate(left):
            rest = left[:at] + left[at + 1 :]
            if a == end and closes(b, rest) or b == end and closes(a, rest):
                return True
        return False

    return closes(stones[0][1], stones[1:])
`,
    wrong: `def chain(stones):
    halves = [half for stone in stones for half in stone]
    return all(halves.count(half) % 2 == 0 for half in halves)
`,
  },
];
