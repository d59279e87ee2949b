import { endMark } from '../../../context/promptFile.ts';

/** A text with what stands behind its last mark. `marked`: it has one. */
export interface Marked {
  readonly text: string;
  readonly marked: boolean;
  readonly behind: string;
}

/** Tokens by which models end, and that some servers hand on. */
const endTokens = /(?:<[|｜][\w▁ ]{2,30}[|｜]>|<(?:end_of_turn|eos|EOT)>|\[(?:EOS|EOT)\])[ \t]*$/gm;
/** Those that could also be markup, where nothing else stands beside them. */
const bareTokens = /^[ \t]*<\/s>[ \t]*$|<\/s>\s*$(?![\s\S])/gm;

/** The mark as models spell it, alone on its line but for signs, or for a word of prose behind it. */
const spelled =
  /^[ \t>*`#"'[(</_~=|—–-]{0,12}END[ _-]?OF[ _-]?ANSWER(?:[ \t*`"'\])>/|_~=.!:;,—–✅✔️-]*|(?:[ \t]*[:.,;—–-]|[ \t]+[(-])[ \t]*[^\n]{0,200})$/gimu;
/** A sentence that ends an answer with the mark. */
const sentence = new RegExp(`^[A-Z][^\\n:{}[\\]"]{0,60}\\b${endMark}\\b[.!]?\\s*$(?![\\s\\S])`, 'm');

/**
 * Takes off the mark in whatever spelling, however often it stands there, and tokens of ends. What is behind
 * it isn't lost.
 */
export function withoutMark(answer: string): Marked {
  const text = answer
    .replaceAll(endTokens, '')
    .replaceAll(bareTokens, '')
    .replace(new RegExp(`([\`\\]}>]|(?<=\\S)["'])[ \\t]*(${endMark}\\W*)$`), '$1\n$2')
    .replace(sentence, endMark);
  const marks = [...text.matchAll(spelled)];
  // Marks that only other marks, fences and tags follow are one.
  const [first] = marks.slice(
    marks.findLastIndex(
      (mark, place) => !isEmpty(text.slice(end(mark), marks[place + 1]?.index ?? mark.index)),
    ) + 1,
  );
  const last = marks.at(-1);
  if (!first || !last) return { text, marked: false, behind: '' };
  const behind = text.slice(end(last));
  return {
    text: text.slice(0, first.index).replaceAll(spelled, '---').trimEnd(),
    marked: true,
    behind: isEmpty(behind) ? '' : behind.trim(),
  };
}

function end({ index, 0: text }: RegExpExecArray): number {
  return index + text.length;
}

/** Returns true if a text has nothing but what closes fences and tags. */
function isEmpty(text: string): boolean {
  return /^(?:\s|`{3,}|~{3,}|<\/[A-Za-z_]+>)*$/.test(text);
}
