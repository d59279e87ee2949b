/** A file's tests by name with lines, from 0, if the name is on one line. */
export function testsByLine(text: string): readonly { readonly name: string; readonly line: number }[] {
  const found = text.split('\n').flatMap((content, line) => {
    if (content.length > 2_000) return [];
    const names = namePatterns.map((pattern) => pattern.exec(content)?.slice(1).find(Boolean));
    return names.flatMap((name) => (name === undefined ? [] : [{ name, line }]));
  });
  for (const match of text.matchAll(marked))
    found.push({ name: match[1] ?? '', line: text.slice(0, match.index).split('\n').length - 1 });
  return found.sort((a, b) => a.line - b.line);
}

/** A file's test names. */
export function namesOfTests(text: string): string[] {
  return [...new Set(testsByLine(text).map(({ name }) => name))];
}

/** Own lines that mark a function: `#[test]`, `@Test`, `[Fact]`. */
const marked =
  /^[ \t]*(?:#\[(?:\w+::)?test\b[^\n]*|@(?:Test|ParameterizedTest)\b[^\n]*|\[(?:Fact|Theory|Test|TestMethod|TestCase)\b[^\n]*)\n(?:[ \t]*[#@[][^\n]*\n){0,20}[ \t]*(?:(?:pub|public|private|internal|protected|static|final|async|override|suspend|fun|fn|void|Task|unsafe)[ \t]+)*`?([\w][\w ]{0,200}?)`?[ \t]{0,20}\(/gm;

const namePatterns: readonly RegExp[] = [
  /\b(?:it|test|specify|scenario)(?:\.\w+)*\s*\(\s*(?:'((?:[^'\\]|\\.)+)'|"((?:[^"\\]|\\.)+)"|`((?:[^`\\]|\\.)+)`)/,
  /^\s*(?:async\s+)?def\s+(test\w*)\s*\(/,
  /^func\s+((?:Test|Fuzz|Example)\w*)\s*\(/,
  /^\s*(?:pub\s+)?(?:async\s+)?fn\s+(\w*test\w*)\s*\(/i,
  /^\s*(?:public\s+)?(?:void|fun|function)\s+(test\w+|\w+Test)\s*\(/,
  /^\s*it\s+(?:'([^']+)'|"([^"]+)")\s+do\b/,
  /\bTEST(?:_F|_P)?\s*\(\s*(\w+\s*,\s*\w+)\s*\)/,
];
