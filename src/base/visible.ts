/**
 * Characters that turn the direction, are invisible, or control a terminal; but not tabs, line feeds, and
 * joiners and emoji selectors where letters need them.
 */
const hidden =
  /(?:\uFE0F(?<!\p{Extended_Pictographic}\uFE0F)|\u200D(?<![\p{Extended_Pictographic}\uFE0F\p{Emoji_Modifier}\p{Script=Arabic}\p{Script=Deva}\p{Script=Beng}\p{Script=Taml}\p{Script=Telu}\p{Script=Mlym}\p{Script=Sinh}]\u200D)|\u200C(?<![\p{Script=Arabic}\p{Script=Deva}\p{Script=Beng}\p{Script=Telu}\p{Script=Mlym}]\u200C)|[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\u3164\uFE00-\uFE0E\uFEFF\uFFA0\uFFF0-\uFFFB\u{1BCA0}-\u{1BCA3}\u{1D173}-\u{1D17A}\u{E0000}-\u{E0FFF}])+/gu;

/** `{0}`: their number. */
export const hiddenSentence =
  'Warning: contains characters that are invisible or change the reading direction ({0}). They are shown as marks such as ⟨U+202E⟩.';

/** A text with marks such as `⟨U+202E⟩`. CR LF becomes a line feed. */
export function visible(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(hidden, (run) => {
    let shown = '';
    for (let at = 0; at < run.length;) {
      const character = String.fromCodePoint(run.codePointAt(at) ?? 0);
      let end = at + character.length;
      while (run.startsWith(character, end)) end += character.length;
      shown += markOf(character).repeat((end - at) / character.length);
      at = end;
    }
    return shown;
  });
}

const marks = new Map<string, string>();

function markOf(character: string): string {
  const known = marks.get(character);
  if (known !== undefined) return known;
  const mark = `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`;
  marks.set(character, mark);
  return mark;
}

export function countHidden(text: string): number {
  let count = 0;
  for (const [run] of text.replaceAll('\r\n', '\n').matchAll(hidden)) for (const _ of run) count++;
  return count;
}

/** The texts in a value that hold such characters, by path. */
export function hiddenIn(
  value: unknown,
  path = '',
): readonly { readonly path: string; readonly text: string; readonly count: number }[] {
  if (typeof value === 'string') {
    const count = countHidden(value);
    return count === 0 ? [] : [{ path, text: visible(value), count }];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => hiddenIn(item, path === '' ? key : `${path}.${key}`));
}
