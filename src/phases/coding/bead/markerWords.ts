import { bareKey } from '../../shared/structured/text/spellings.ts';

const passes = [
  'pass',
  'passed',
  'passes',
  'passing',
  'ok',
  'okay',
  'success',
  'successful',
  'succeeded',
  'true',
  'yes',
  'done',
  'green',
  'clean',
];
const fails = [
  'fail',
  'failed',
  'fails',
  'failing',
  'failure',
  'error',
  'errors',
  'false',
  'no',
  'red',
  'skip',
  'skipped',
  'notrun',
  'timeout',
  'timedout',
  'pending',
  'unknown',
  'none',
  'null',
  '',
  'blocked',
  'partial',
];
const dones = [...passes, 'complete', 'completed', 'finished'];
const errors = [...fails, 'na', 'incomplete', 'notdone', 'inprogress'];
/** Words by which models say that the project has no such check. */
const absent = ['na', 'notapplicable', 'nosuchcheck', 'doesnotexist', 'notconfigured'];

/** The status that a word says; the word itself when it says none. */
export function statusWord(word: string): string {
  return meant(word, dones, 'done', errors, 'error');
}

/**
 * The result that a word says; the word itself when it says none. `mayBeAbsent`: a check that the project
 * doesn't have passes.
 */
export function checkWord(word: string, mayBeAbsent: boolean): string {
  return meant(
    word,
    mayBeAbsent ? [...passes, ...absent] : passes,
    'pass',
    mayBeAbsent ? fails : [...fails, ...absent],
    'fail',
  );
}

function meant(
  word: string,
  good: readonly string[],
  yes: string,
  bad: readonly string[],
  no: string,
): string {
  const sign = /[✅✔☑👍]/u.test(word) ? yes : /[❌✘✗☒👎]/u.test(word) ? no : undefined;
  const bare = bareKey(word);
  if (good.includes(bare) && !(sign === no)) return bare === '' && sign ? sign : yes;
  if (bare === '' && sign) return sign;
  if (bad.includes(bare) && sign !== yes) return no;
  // `pass (14 tests)`: the first word counts, unless what follows takes it back.
  const [, first = '', rest = ''] = /^\W*([\w/]+)\W*[(,;:—–-]\s*(.*)$/su.exec(word) ?? [];
  if (bad.includes(bareKey(first)) && bareKey(first) !== '') return no;
  const isTakenBack = /fail|error|skip|not|n't|except|but|only|partial|timeout|pending|❌/i.test(rest);
  return good.includes(bareKey(first)) && !isTakenBack ? yes : word;
}
