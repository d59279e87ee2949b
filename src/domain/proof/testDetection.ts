import { addedLines, type ChangedText, type TextLine } from './changedText.ts';

/** New lines that detect tests, replace their means, or end their process. */
export function testDetection({ path, before, after }: ChangedText): readonly TextLine[] {
  if (after === null || !isSource(path)) return [];
  const rules = [marks, means, reports, ...(isProgram(path, after) ? [] : [ends]), ...toolsOf(path, after)];
  return addedLines(before, after).filter(({ text }) => rules.some((rule) => rule.test(text)));
}

/** True for code, by its name. */
export function isSource(path: string): boolean {
  return /\.(?:[cm]?[jt]sx?|py|go|rs|rb|java|kt|cs|php|c|cc|cpp|h|hpp|sh)$/.test(path);
}

const marks =
  /NODE_ENV\b.{0,20}['"`]test['"`]|\b(?:JEST_WORKER_ID|VITEST(?:_\w+)?|MOCHA_\w+|PYTEST_CURRENT_TEST|NODE_TEST_CONTEXT|GO_TEST|RUST_TEST\w*)\b|['"`](?:pytest|unittest)['"`]\s+in\s+sys\.modules|\btesting\.Testing\(|\bflag\.Lookup\(['"`]test\.|npm_lifecycle_event\b.{0,20}test|\bexecArgv\b.*test|\.stack\b.{0,20}(?:test|spec)|\btest\w*['"`]\s+in\s+inspect\.|#\[cfg\(not\(test\)\)\]|\bcfg!\(\s*(?:not\(\s*)?test\b|\bps\b.*\bPPID\b/;

const means =
  /\bassert['"`]?\)?(?:\.strict)?\.\w+\s*=[^=>]|\bTestCase\.\w+\s*=[^=]|\bsetattr\(\s*[\w.]*TestCase\b|\b(?:globalThis|global|window)\.(?:expect|assert|test|it|describe)\s*=[^=]|\.on(?:ce)?\(\s*['"`](?:exit|beforeExit)['"`].*\bexit|\bprocess(?:\.|\[['"`])exitCode(?:['"`]\])?\s*=\s*0|\batexit\.register\(.*exit|\bprocess(?:\.|\[['"`])(?:exit|reallyExit)(?:['"`]\])?\s*=[^=]|\breallyExit\(|\bdefineProperty\(\s*process\b|#\s*(?:define|undef)\s+assert\b|__attribute__\s*\(\(.*\bconstructor\b|\bsignal\(\s*SIGABRT\b|\b__eq__\s*=\s*lambda\b/;

const reports =
  /\b(?:print\w*|echo|log|write|puts|println!?)\b.*(?:TAP version \d|\bok \d+ - |# pass \d|\d+ passed\b.* in \d|test result: ok|Tests run: \d|Ran \d+ tests?\b)/;

/** Ending here is success, whatever ran. */
const ends =
  /\b(?:_exit|_Exit|exit|os\._exit|os\.Exit|process::exit|System\.exit|halt)\(\s*(?:0|EXIT_SUCCESS)\s*\)/;

/**
 * Scripts of shell and JavaScript, and files with a main function. Python may, unless it calls `os._exit`
 * without forking.
 */
function isProgram(path: string, text: string): boolean {
  if (path.endsWith('.py')) return !/\bos\._exit\(/.test(text) || /\bfork(?:pty)?\(/.test(text);
  return !/\.(?:go|rs|java|c|cc|cpp|h|hpp)$/.test(path) || /\bmain\s*\(|^package main\b/m.test(text);
}

function toolsOf(path: string, text: string): readonly RegExp[] {
  if (!/\.(?:[cm]?[jt]sx?|py)$/.test(path)) return [];
  const names = [
    ...text.matchAll(
      /\b(?:const|let|var)\s+(\w+)\s*=\s*(?:await\s+)?(?:require|import)\(\s*['"](?:node:)?(?:assert(?:\/strict)?|test|chai|expect|vitest)['"]|\bimport\s+(?:\*\s+as\s+)?(\w+)\s+from\s+['"](?:node:)?(?:assert(?:\/strict)?|test|chai|expect|vitest)['"]|^[ \t]*import\s+(?:unittest|pytest|_pytest[\w.]*)\s+as\s+(\w+)/gm,
    ),
  ].flatMap((match) => match.slice(1).filter(Boolean));
  return [...new Set(names)].map(
    (name) =>
      new RegExp(
        `\\b${name}(?:\\.\\w+|\\[[^\\]]*\\])+\\s*=[^=>]|\\b(?:assign|definePropert(?:y|ies)|setattr)\\(\\s*${name}\\b`,
      ),
  );
}
