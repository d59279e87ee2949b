/** True if a command always succeeds: it proves nothing. */
export function cannotFail(command: string): boolean {
  const [last = '', ...others] = command
    .split(/;|\n/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .toReversed();
  if (others.some((part) => /^set\s+-\w*e/.test(part))) return false;
  if (last === '') return true;
  return last.split('||').some((part) => part.split('&&').every((one) => harmless.test(one.trim())));
}

/** Only plain words: a substitution may fail. */
const harmless = /^(?:true|:|exit(?:\s+0)?|(?:echo|printf|pwd|date|sleep)(?:\s+[^`$&|<>]*)?)$/;
