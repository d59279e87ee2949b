/**
 * A fault for each rule of `.oxlint.config.mts`, by the rule's name: the text of a file that only this rule
 * refuses, or a file and its text where the place decides.
 */
export const faults: Readonly<Record<string, string | Readonly<Record<string, string>>>> = {
  'eslint/eqeqeq': 'export const same = (a: number, b: number): boolean => a == b;',
  'eslint/max-lines': '// one more line\n'.repeat(601) + 'export const last = 1;',
  'eslint/no-array-constructor': 'export const made: unknown[] = new Array(0, 1, 2);',
  'eslint/no-restricted-globals': {
    'src/domain/fault.ts': 'export const wait = (work: () => void): unknown => setTimeout(work, 1);',
  },
  'eslint/no-restricted-imports': {
    'src/domain/fault.ts': "import { join } from 'node:path';\nexport const path = join('a', 'b');",
  },
  'eslint/no-restricted-properties': {
    'src/domain/fault.ts': 'export const now = (): number => Date.now();',
  },
  'eslint/no-unused-expressions': 'export function noop(a: number): void {\n  a + 1;\n}',
  'eslint/no-unused-vars': 'const unused = 1;\nexport {};',
  'eslint/no-useless-constructor': 'export class Plain {\n  value = 1;\n  constructor() {}\n}',
  'eslint/no-var': 'export var old = 1;',
  'eslint/prefer-const': 'let fixed = 1;\nexport const other = fixed;',
  'eslint/prefer-rest-params': 'export function first(): unknown {\n  return arguments[0];\n}',
  'eslint/prefer-spread': 'export const most = (all: number[]): number => Math.max.apply(Math, all);',
  'import/no-cycle': {
    'src/host/fault.ts': "import { other } from './other.ts';\nexport const one = (): number => other();",
    'src/host/other.ts': "import { one } from './fault.ts';\nexport const other = (): number => one();",
  },
  'import/no-default-export': 'export default 1;',
  'import/no-unassigned-import': "import 'node:fs';\nexport {};",
  'typescript/await-thenable': 'export async function wait(): Promise<number> {\n  return await 1;\n}',
  'typescript/ban-ts-comment': '// @ts-ignore\nexport const a = 1;',
  'typescript/consistent-type-imports':
    "import { Stats } from 'node:fs';\nexport const size = (stats: Stats): number => stats.size;",
  'typescript/no-array-delete': 'export function drop(all: number[]): void {\n  delete all[0];\n}',
  'typescript/no-base-to-string': 'export const text = (value: { a: number }): string => value.toString();',
  'typescript/no-confusing-void-expression':
    'const log = (_: string): void => undefined;\nexport function run(): void {\n  const said = log("a");\n  return said;\n}',
  'typescript/no-deprecated':
    '/** @deprecated use other */\nexport const old = (): number => 1;\nexport const value = old();',
  'typescript/no-duplicate-enum-values': 'export enum Kind {\n  A = 1,\n  B = 1,\n}',
  'typescript/no-duplicate-type-constituents': "export type Kind = 'a' | 'b' | 'a';",
  'typescript/no-empty-object-type': 'export const take = (value: {}): unknown => value;',
  'typescript/no-explicit-any': 'export const take = (value: any): void => void value;',
  'typescript/no-extra-non-null-assertion': 'export const first = (all?: { a: number }): number => all!!.a;',
  'typescript/no-extraneous-class': 'export class Helpers {\n  static one(): number {\n    return 1;\n  }\n}',
  'typescript/no-floating-promises':
    'const work = async (): Promise<void> => Promise.resolve();\nexport function run(): void {\n  work();\n}',
  'typescript/no-for-in-array':
    'export function each(all: readonly string[]): string[] {\n  const keys: string[] = [];\n  for (const key in all) keys.push(key);\n  return keys;\n}',
  'typescript/no-generated-empty-object-type':
    'export type Rest = Omit<{ a: number }, "a">;\nexport type None = Pick<{ a: number }, never>;',
  'typescript/no-implied-eval': 'export const later = (): unknown => setTimeout("a()", 1);',
  'typescript/no-meaningless-void-operator':
    'const log = (): void => undefined;\nexport function run(): void {\n  void log();\n}',
  'typescript/no-misused-new': 'export interface Made {\n  new (): Made;\n}',
  'typescript/no-misused-promises':
    'export const each = (all: number[]): void => {\n  all.forEach(async () => Promise.resolve());\n};',
  'typescript/no-misused-spread': 'export const copy = (all: Map<string, number>): object => ({ ...all });',
  'typescript/no-mixed-enums': "export enum Kind {\n  A = 1,\n  B = 'b',\n}",
  'typescript/no-namespace': 'export namespace Old {\n  export const a = 1;\n}',
  'typescript/no-non-null-asserted-nullish-coalescing':
    'export const or = (a: { b?: number }): number => a.b! ?? 1;',
  'typescript/no-non-null-asserted-optional-chain': 'export const of = (a?: { b: number }): number => a?.b!;',
  'typescript/no-non-null-assertion': 'export const of = (a?: { b: number }): number => a!.b;',
  'typescript/no-redundant-type-constituents': 'export type Any = unknown | string;',
  'typescript/no-require-imports':
    "import fs = require('node:fs');\nexport const { sep } = fs as unknown as { sep: string };",
  'typescript/no-this-alias':
    'export class Own {\n  value = 1;\n  read(): () => number {\n    const self = this;\n    return () => self.value;\n  }\n}',
  'typescript/no-unnecessary-boolean-literal-compare':
    'export const not = (a: boolean): boolean => a === true;',
  'typescript/no-unnecessary-condition':
    'export function always(a: { b: number }): number {\n  return a ? a.b : 0;\n}',
  'typescript/no-unnecessary-template-expression': "export const text = `${'a'}`;",
  'typescript/no-unnecessary-type-arguments':
    'const id = <T = string>(a: T): T => a;\nexport const text = id<string>("a");',
  'typescript/no-unnecessary-type-assertion': 'export const same = (a: string): string => a as string;',
  'typescript/no-unnecessary-type-constraint':
    'export const id = <T extends unknown>(a: T, b: T): T => (a === b ? a : b);',
  'typescript/no-unnecessary-type-conversion': 'export const text = (a: string): string => String(a);',
  'typescript/no-unnecessary-type-parameters':
    'export const size = <T>(all: readonly T[]): number => all.length;',
  'typescript/no-unsafe-argument':
    'const take = (a: string): string => a;\nexport const text = take(JSON.parse("1"));',
  'typescript/no-unsafe-assignment': 'export const text: string = JSON.parse("1");',
  'typescript/no-unsafe-call': 'export const run = (): unknown => JSON.parse("1")();',
  'typescript/no-unsafe-declaration-merging':
    'export interface Own {\n  b: number;\n}\nexport class Own {\n  a = 1;\n}',
  'typescript/no-unsafe-enum-assignment':
    'enum Kind {\n  A = 1,\n}\nconst one: number = 1;\nexport const kind: Kind = one;',
  'typescript/no-unsafe-enum-comparison':
    'export enum Kind {\n  A = 1,\n}\nexport const is = (a: Kind): boolean => a === 1;',
  'typescript/no-unsafe-function-type': 'export const call = (a: Function): unknown => a;',
  'typescript/no-unsafe-member-access': 'export const of = (): unknown => JSON.parse("1").a;',
  'typescript/no-unsafe-return': 'export const of = (): string => JSON.parse("1");',
  'typescript/no-unsafe-unary-minus': 'export const minus = (a: string): number => -a;',
  'typescript/no-useless-default-assignment': 'export const of = ({ a = 1 }: { a: number }): number => a;',
  'typescript/no-wrapper-object-types': 'export const text = (a: String): unknown => a;',
  'typescript/only-throw-error': "export function fail(): never {\n  throw 'a';\n}",
  'typescript/prefer-as-const': "export const a = 'a' as 'a';",
  'typescript/prefer-literal-enum-member': "const one = 'a';\nexport enum Kind {\n  A = `${one}`,\n}",
  'typescript/prefer-namespace-keyword':
    'declare module Old {\n  const a: number;\n}\nexport const b = typeof Old;',
  'typescript/prefer-promise-reject-errors':
    "export const fail = async (): Promise<never> => Promise.reject('a');",
  'typescript/prefer-reduce-type-parameter':
    'export const sum = (all: number[]): string[] => all.reduce((sums, n) => [...sums, n.toFixed()], [] as string[]);',
  'typescript/prefer-return-this-type':
    'export class Chain {\n  a = 1;\n  next(): Chain {\n    this.a++;\n    return this;\n  }\n}',
  'typescript/related-getter-setter-pairs':
    'export interface Pair {\n  get a(): string | number;\n  set a(value: string);\n}',
  'typescript/require-await': 'export async function none(): Promise<number> {\n  return 1;\n}',
  'typescript/restrict-plus-operands': "export const text = (a: boolean): string => a + 'b';",
  'typescript/restrict-template-expressions': 'export const text = (a: boolean): string => `${a}`;',
  'typescript/return-await':
    'const work = async (): Promise<number> => Promise.resolve(1);\nexport async function run(): Promise<number> {\n  try {\n    return work();\n  } catch {\n    return 0;\n  }\n}',
  'typescript/switch-exhaustiveness-check':
    "export function of(a: 'a' | 'b'): void {\n  switch (a) {\n    case 'a':\n      break;\n  }\n}",
  'typescript/triple-slash-reference': '/// <reference path="other.d.ts" />\nexport const a = 1;',
  'typescript/unbound-method':
    'class Own {\n  a = 1;\n  read(): number {\n    return this.a;\n  }\n}\nexport const { read } = new Own();',
  'typescript/unified-signatures':
    'export interface Own {\n  of(a: string): void;\n  of(a: number): void;\n}',
  'typescript/use-unknown-in-catch-callback-variable':
    'export const run = async (): Promise<unknown> => Promise.reject(new Error("a")).catch((error) => error);',
};

/**
 * A fault for each of these findings of the checker, by its code: what it wouldn't find without an option of
 * `tsconfig.json`, or without reading other files.
 */
export const typeFaults: Readonly<Record<string, string>> = {
  TS2305: "import { nothing } from '../../../.build/rooms.mjs';\nexport const b: unknown = nothing;",
  TS2307: "import { a } from './nowhere.ts';\nexport const b: unknown = a;",
  TS2322: 'const all: number[] = [];\nexport const first: number = all[0];',
  TS2375: 'interface A {\n  a?: number;\n}\nexport const a: A = { a: undefined };',
  TS2578: '// @ts-expect-error nothing is wrong here\nexport const b = 1;',
  TS4111: 'const a: Record<string, number> = {};\nexport const b = a.c;',
  TS4114:
    'class A {\n  a(): number {\n    return 1;\n  }\n}\nexport class B extends A {\n  a(): number {\n    return 2;\n  }\n}',
  TS6133: 'export function a(b: number): number {\n  return 2;\n}',
  TS7006: 'export const b = (a): unknown => a;',
  TS7027: 'export function a(): number {\n  return 2;\n  return 3;\n}',
  TS7029:
    'export function a(b: 1 | 2): number {\n  let c = 0;\n  switch (b) {\n    case 1:\n      c = 1;\n    case 2:\n      c = 2;\n  }\n  return c;\n}',
  TS7030: 'export function a(b: boolean): number | undefined {\n  if (b) return 2;\n}',
  TS1294: 'export class A {\n  constructor(readonly a: number) {}\n}',
};
