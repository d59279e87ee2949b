/** Longer lines are made by tools, and declare nothing that a person looks for. */
const longestLine = 400;

const declared =
  /^(?:(?:export|default|declare|pub(?:\([a-z ]{1,20}\))?|public|private|protected|internal|static|final|abstract|sealed|open|data|async|unsafe) {1,3})*(?:const enum|function\*?|class|interface|type|enum|const|let|var|val|def|fn|fun|func|struct|trait|impl|module|mod|object|record|namespace|protocol|extension) {1,3}(?:\([^()]{1,80}\) {0,3})?([A-Za-z_$][\w$]{0,80})/;

/**
 * Returns the names that a file declares at its top level, in most languages found by the words that start a
 * line there; each name once, in order.
 */
export function topLevelNames(text: string): readonly string[] {
  const names = new Set<string>();
  for (const line of text.split('\n')) {
    const name = line.length <= longestLine ? declared.exec(line)?.[1] : undefined;
    if (name !== undefined) names.add(name);
  }
  return [...names];
}

/** Returns the number of lines of a text; a line end at its end starts none. */
export function linesOf(text: string): number {
  return text === '' ? 0 : text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}

/** The word by which other files name a file: its name without its endings, or its folder's for an index. */
export function stemOf(path: string): string {
  const parts = path.split('/');
  const stem = (parts.at(-1) ?? '').replace(/(?:\.(?:test|spec|d))?\.\w+$/, '');
  return /^(?:index|mod|__init__|main|lib)$/.test(stem) ? (parts.at(-2) ?? stem) : stem;
}

const importing = /\b(?:import|from|require|require_relative|include|use|using|mod|load|source|export)\b/;
/** A line of a block of imports, as Go has them. */
const quotedAlone = /^\s{0,20}(?:[\w.]{1,40} )?"[^"]{1,200}"\s{0,5}$/;
const quoted = /["'`]([^"'`]{1,300})["'`]/;

/**
 * Returns true if the text of the file `from` has a line that imports the file `path`: one with a word for it
 * that names the file's stem (of Go its folder). A relative name has to lead to that file.
 */
export function importsFile(text: string, from: string, path: string): boolean {
  const word = path.endsWith('.go') ? (path.split('/').at(-2) ?? '') : stemOf(path);
  if (word === '' || !text.includes(word)) return false;
  return text.split('\n').some((line) => {
    if (
      line.length > longestLine ||
      !line.includes(word) ||
      !(importing.test(line) || quotedAlone.test(line))
    )
      return false;
    const name = quoted.exec(line)?.[1];
    if (name?.startsWith('.') === true && name.includes('/'))
      return bare(resolved(from, name)) === bare(path);
    return wordIn(line, word);
  });
}

/** Returns true if a line has a word by itself. Written out, since any path may be the word. */
function wordIn(line: string, word: string): boolean {
  for (let at = line.indexOf(word); at >= 0; at = line.indexOf(word, at + 1)) {
    if (!isPart(line.charAt(at - 1)) && !isPart(line.charAt(at + word.length))) return true;
  }
  return false;
}

function isPart(character: string): boolean {
  return /[\w-]/.test(character);
}

/** A path without what an import may leave out. */
function bare(path: string): string {
  return path.replace(/\.\w+$/, '').replace(/\/index$/, '');
}

function resolved(from: string, name: string): string {
  const parts = from.split('/').slice(0, -1);
  for (const part of name.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}
