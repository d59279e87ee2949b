/** Programs that command lines start: first words of simple POSIX commands, without shell builtins. */
export function launchersOf(commands: readonly string[]): readonly string[] {
  const found = new Set<string>();
  for (const command of commands) for (const part of simpleCommands(command)) addLauncher(found, part);
  return [...found];
}

/** A command that succeeds only if a launcher can start. */
export function launcherProbe(launcher: string): string {
  return launcher.includes('/') ? `test -x ${launcher}` : `command -v ${launcher}`;
}

function addLauncher(found: Set<string>, words: readonly string[]): void {
  let rest = words.filter(
    (word, index) => !/^\d*[<>]/.test(word) && !/^\d*[<>]{1,2}$/.test(words[index - 1] ?? ''),
  );
  for (;;) {
    const [first = '', ...others] = rest;
    if (/^[A-Za-z_]\w*=/.test(first) || carriers.has(first) || keywords.has(first)) rest = others;
    // Their options can't be told from the command that follows.
    else if (first === 'env' || first === 'timeout' || first === 'nice')
      rest = others.filter((word) => !/^-|^\d+[smh]?$/.test(word));
    else {
      if (/^[\w./+-]+$/.test(first) && !first.startsWith('-') && !builtins.has(first)) found.add(first);
      return;
    }
    if (rest.length === 0) return;
  }
}

const carriers = new Set(['exec', 'command', 'time', 'nohup', 'sudo', '!']);
const keywords = new Set(['if', 'then', 'elif', 'else', 'while', 'until', 'do', '{', '(']);
const builtins = new Set(
  'cd . : source test [ [[ ]] true false echo printf export unset set read eval exit return trap umask wait shift type hash pwd kill fi done esac for case in } ) function local alias'.split(
    ' ',
  ),
);

/** Splits a command line at operators, and parts into unquoted words. */
export function simpleCommands(command: string): readonly (readonly string[])[] {
  const parts: string[][] = [];
  let words: string[] = [];
  let word = '';
  let quoted = false;
  const endWord = (): void => {
    if (word !== '' || quoted) words.push(quoted && word === '' ? "''" : word);
    word = '';
    quoted = false;
  };
  const endCommand = (): void => {
    endWord();
    if (words.length > 0) parts.push(words);
    words = [];
  };
  for (let at = 0; at < command.length; at += 1) {
    const mark = command.charAt(at);
    if (mark === "'" || mark === '"') {
      const end = endOfQuote(command, at, mark);
      word += command.slice(at + 1, end);
      quoted = true;
      at = end;
    } else if (mark === '\\') word += command.charAt((at += 1));
    else if (mark === '#' && word === '' && !quoted) at = endOf(command, at, '\n') - 1;
    // `2>&1` and `&>` don't separate commands.
    else if (mark === '&' && /[<>]$/.test(word)) word += mark;
    else if (mark === '\n' || mark === ';' || mark === '|' || mark === '&' || mark === '(' || mark === ')')
      endCommand();
    else if (/\s/.test(mark)) endWord();
    else word += mark;
  }
  endCommand();
  return parts;
}

function endOfQuote(text: string, start: number, mark: string): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (mark === '"' && text.charAt(at) === '\\') at += 1;
    else if (text.charAt(at) === mark) return at;
  }
  return text.length;
}

function endOf(text: string, start: number, mark: string): number {
  const found = text.indexOf(mark, start);
  return found < 0 ? text.length : found;
}
