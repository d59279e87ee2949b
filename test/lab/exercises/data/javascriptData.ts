import type { Exercise } from '../exercise.ts';

/** Numbers, lists and states, in JavaScript. */
export const javascriptData: readonly Exercise[] = [
  {
    name: 'bank-account',
    spec: 'balance(operations) opens an account, does the operations ("open", "deposit 5", "withdraw 3", "close") in order and answers the balance; null as soon as one is refused: on a closed account, with an amount below one, or with too little money.',
    call: 'balance',
    cases: [
      [[['open']], 0],
      [[['open', 'deposit 100', 'withdraw 40']], 60],
      [[['deposit 5']], null],
      [[['open', 'deposit 5', 'withdraw 6']], null],
      [[['open', 'deposit -5']], null],
    ],
    missed: 2,
    heldOut: [
      [[['open', 'deposit 5', 'close', 'deposit 1']], null],
      [[['open', 'deposit 7', 'withdraw 7']], 0],
      [[['open', 'deposit 9', 'withdraw -1']], null],
    ],
    right: `export function balance(operations) {
  let money = null;
  for (const operation of operations) {
    const [name, amount] = [operation.split(' ')[0], Number(operation.split(' ')[1])];
    if (name === 'open') money = 0;
    else if (money === null) return null;
    else if (name === 'close') money = null;
    else if (amount < 1 || (name === 'withdraw' && amount > money)) return null;
    else money += name === 'deposit' ? amount : -amount;
  }
  return money;
}
`,
    wrong: `export function balance(operations) {
  let money = null;
  for (const operation of operations) {
    const [name, amount] = [operation.split(' ')[0], Number(operation.split(' ')[1])];
    if (name === 'open') money = 0;
    else if (money === null) return null;
    else if (name === 'close') money = null;
    else money += name === 'deposit' ? amount : -amount;
  }
  return money;
}
`,
  },
  {
    name: 'matrix-transpose',
    spec: 'transpose(rows) answers the columns of a matrix; rows that are shorter are filled up with null.',
    call: 'transpose',
    cases: [
      [[[[1]]], [[1]]],
      [
        [
          [
            [1, 2],
            [3, 4],
          ],
        ],
        [
          [1, 3],
          [2, 4],
        ],
      ],
      [[[[1, 2, 3]]], [[1], [2], [3]]],
      [
        [[[1], [2, 3]]],
        [
          [1, 2],
          [null, 3],
        ],
      ],
    ],
    missed: 1,
    heldOut: [
      [[[]], []],
      [
        [[[1, 2], [3]]],
        [
          [1, 3],
          [2, null],
        ],
      ],
      [[[[], [5]]], [[null, 5]]],
    ],
    right: `export function transpose(rows) {
  const width = Math.max(0, ...rows.map((row) => row.length));
  return Array.from({ length: width }, (_, column) => rows.map((row) => row[column] ?? null));
}
`,
    wrong: `export function transpose(rows) {
  return rows[0].map((_, column) => rows.map((row) => row[column] ?? null));
}
`,
  },
  {
    name: 'sieve',
    spec: 'primes(limit) answers all primes up to and with the limit.',
    call: 'primes',
    cases: [
      [[1], []],
      [[10], [2, 3, 5, 7]],
      [[12], [2, 3, 5, 7, 11]],
      [[2], [2]],
      [[13], [2, 3, 5, 7, 11, 13]],
    ],
    missed: 2,
    heldOut: [
      [[3], [2, 3]],
      [[30], [2, 3, 5, 7, 11, 13, 17, 19, 23, 29]],
    ],
    right: `export function primes(limit) {
  const found = [];
  for (let n = 2; n <= limit; n++) if (found.every((prime) => n % prime !== 0)) found.push(n);
  return found;
}
`,
    wrong: `export function primes(limit) {
  const found = [];
  for (let n = 2; n < limit; n++) if (found.every((prime) => n % prime !== 0)) found.push(n);
  return found;
}
`,
  },
  {
    name: 'flatten',
    spec: 'flatten(list) answers the values of nested lists in one list, without null.',
    call: 'flatten',
    cases: [
      [[[]], []],
      [[[1, [2, 3]]], [1, 2, 3]],
      [[[0, [2]]], [0, 2]],
      [[[1, [[4, [5]]]]], [1, 4, 5]],
      [[[1, [null, 2]]], [1, 2]],
    ],
    missed: 2,
    heldOut: [
      [[[[[[[6]]]]]], [6]],
      [[[null, [null]]], []],
      [[[0, [[false]]]], [0, false]],
    ],
    right: `export function flatten(list) {
  return list.flat(Infinity).filter((value) => value !== null);
}
`,
    wrong: `export function flatten(list) {
  return list.flat();
}
`,
  },
  {
    name: 'binary-search',
    spec: 'find(sorted, value) answers the place of a value in a sorted list, -1 if it is not there, in logarithmic time.',
    call: 'find',
    cases: [
      [[[1, 3, 5], 3], 1],
      [[[1, 3, 5], 1], 0],
      [[[1, 3], 4], -1],
      [[[], 1], -1],
      [[[1, 3, 5, 7], 7], 3],
    ],
    missed: 1,
    heldOut: [
      [[[2, 4, 6, 8, 10], 10], 4],
      [[[6], 6], 0],
      [[[1, 2, 3, 4, 5, 6, 7, 8], 8], 7],
    ],
    right: `export function find(sorted, value) {
  let [low, high] = [0, sorted.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] === value) return middle;
    if (sorted[middle] < value) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
`,
    wrong: `export function find(sorted, value) {
  let [low, high] = [0, sorted.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] === value) return middle;
    if (sorted[middle] < value) low = middle + 1;
    else high = middle;
  }
  return -1;
}
`,
  },
  {
    name: 'change',
    spec: 'change(coins, amount) answers how many coins are needed at least for the amount, -1 if it cannot be paid.',
    call: 'change',
    cases: [
      [[[1, 5, 10], 7], 3],
      [[[1, 5, 10, 25], 25], 1],
      [[[5, 10], 0], 0],
      [[[1, 4, 15, 20, 50], 23], 3],
      [[[5, 10], 3], -1],
    ],
    missed: 2,
    heldOut: [
      [[[1, 3, 4], 6], 2],
      [[[3, 5], 7], -1],
      [[[2, 5, 10, 20, 50], 21], 5],
    ],
    right: `export function change(coins, amount) {
  const least = [0, ...Array(amount).fill(Infinity)];
  for (let n = 1; n <= amount; n++) for (const coin of coins) if (coin <= n) least[n] = Math.min(least[n], least[n - coin] + 1);
  return least[amount] === Infinity ? -1 : least[amount];
}
`,
    wrong: `export function change(coins, amount) {
  let count = 0;
  for (const coin of coins.toSorted((a, b) => b - a)) {
    count += Math.floor(amount / coin);
    amount %= coin;
  }
  return count;
}
`,
  },
  {
    name: 'triangle',
    spec: 'triangle(a, b, c) answers "equilateral", "isosceles" or "scalene", and "none" where the sides make no triangle.',
    call: 'triangle',
    cases: [
      [[2, 2, 2], 'equilateral'],
      [[3, 4, 4], 'isosceles'],
      [[5, 4, 6], 'scalene'],
      [[0, 0, 0], 'none'],
      [[1, 1, 3], 'none'],
    ],
    missed: 2,
    heldOut: [
      [[7, 3, 2], 'none'],
      [[4, 3, 4], 'isosceles'],
      [[1, 3, 1], 'none'],
    ],
    right: `export function triangle(...sides) {
  const [a, b, c] = sides.sort((x, y) => x - y);
  if (a <= 0 || a + b <= c) return 'none';
  return ['equilateral', 'isosceles', 'scalene'][new Set([a, b, c]).size - 1];
}
`,
    wrong: `export function triangle(...sides) {
  return ['equilateral', 'isosceles', 'scalene'][new Set(sides).size - 1];
}
`,
  },
  {
    name: 'saddle-points',
    spec: 'saddles(rows) answers the places [row, column] of values that are the largest of their row and the smallest of their column.',
    call: 'saddles',
    cases: [
      [
        [
          [
            [9, 8, 7],
            [5, 3, 2],
            [6, 6, 7],
          ],
        ],
        [[1, 0]],
      ],
      [
        [
          [
            [1, 2, 3],
            [3, 1, 2],
            [2, 3, 1],
          ],
        ],
        [],
      ],
      [
        [
          [
            [1, 5],
            [4, 9],
          ],
        ],
        [[0, 1]],
      ],
      [
        [
          [
            [4, 5, 4],
            [3, 5, 5],
            [1, 5, 4],
          ],
        ],
        [
          [0, 1],
          [1, 1],
          [2, 1],
        ],
      ],
    ],
    missed: 1,
    heldOut: [
      [
        [[[2], [1], [4], [1]]],
        [
          [1, 0],
          [3, 0],
        ],
      ],
      [
        [[[2, 5, 3, 5]]],
        [
          [0, 1],
          [0, 3],
        ],
      ],
    ],
    right: `export function saddles(rows) {
  const found = [];
  rows.forEach((row, y) => row.forEach((value, x) => {
    if (value === Math.max(...row) && value === Math.min(...rows.map((other) => other[x]))) found.push([y, x]);
  }));
  return found;
}
`,
    wrong: `export function saddles(rows) {
  return rows.flatMap((row, y) => {
    const x = row.indexOf(Math.max(...row));
    return rows.every((other) => other[x] > row[x] || other === row) ? [[y, x]] : [];
  });
}
`,
  },
];
