import { type Check, type CheckSubject, textsOf } from '../../protocol/checks.ts';
import type { SupportDocument, SupportLink } from './supportDocument.ts';

export interface Fix {
  readonly title: string;
  readonly command: string;
  readonly args: readonly unknown[];
}

export interface CheckGroup {
  readonly title: string;
  readonly checks: readonly Check[];
}

/** `translate` fills in arguments. */
export interface CheckWords {
  readonly title: string;
  readonly summary: string;
  readonly nextStep: string;
  readonly results: Readonly<Record<Check['result'], string>>;
  readonly subjects: Readonly<Record<CheckSubject, string>>;
  readonly translate: (text: string, args: Check['args']) => string;
  readonly fixOf: (check: Check) => Fix | undefined;
}

/** Plain text, with links where the editor can help. */
export function checkText(groups: readonly CheckGroup[], words: CheckWords): SupportDocument {
  const lines = [words.title, '='.repeat(words.title.length), '', words.summary];
  const links: SupportLink[] = [];
  const width = Math.max(...Object.values(words.results).map((word) => word.length)) + 2;
  const indent = ' '.repeat(width);
  for (const { title, checks } of groups) {
    lines.push('', title, '-'.repeat(title.length));
    for (const check of checks) {
      const [sentence = '', nextStep = ''] = textsOf(check.code).map((text) =>
        text === '' ? '' : plain(words.translate(text, check.args)),
      );
      lines.push(`${words.results[check.result].padEnd(width)}${words.subjects[check.subject]}: ${sentence}`);
      if (check.said !== '') lines.push(...check.said.split('\n').map((line) => `${indent}| ${plain(line)}`));
      if (nextStep !== '') lines.push(`${indent}${words.nextStep} ${nextStep}`);
      const fix = nextStep === '' ? undefined : words.fixOf(check);
      if (!fix) continue;
      const start = `${indent}→ `.length;
      links.push({
        line: lines.length,
        start,
        end: start + fix.title.length,
        command: fix.command,
        args: fix.args,
      });
      lines.push(`${indent}→ ${fix.title}`);
    }
  }
  return { text: `${lines.join('\n')}\n`, links };
}

/** On one line, and without what an editor or a terminal would obey. */
export function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
}
