import type { Depth } from '../settings/settings.ts';

/** A reason with `args` for `{0}`; views translate it. */
interface DepthReason {
  readonly text: string;
  readonly args: readonly (string | number)[];
}

/** A suggested depth with its reasons. */
export interface DepthSuggestion {
  readonly depth: Extract<Depth, 'full' | 'quick'>;
  readonly reasons: readonly DepthReason[];
}

/** Sentences of reasons, for translation. */
export const depthReasonTexts = {
  short: 'The description is short (words: {0}).',
  long: 'The description is long ({0} words).',
  items: 'The ticket lists {0} things to do.',
  open: 'The ticket contains {0} questions.',
  fewFiles: 'The ticket names few files: {0}.',
  manyFiles: 'The ticket names {0} files, which is a lot for small work.',
  small: 'The ticket mentions “{0}”.',
  large: 'The ticket mentions “{0}”.',
} as const;

const fewWords = 60;
const mostItems = 2;
const mostFiles = 3;

const smallWork =
  /\b(?:typos?|spelling|wording|rename|labels?|bump|log (?:line|message)|error message|tooltip|placeholder|comment|readme|one-liner|off[- ]by[- ]one)\b/iu;
const largeWork =
  /\b(?:migrat\w*|architectur\w*|redesign|rewrite|refactor\w*|security|authenticat\w*|authori[sz]\w*|permissions?|payments?|billing|encrypt\w*|schema|concurren\w*|distributed|multi-tenant|backwards?[- ]compatib\w*|breaking|public api|protocol|performance)\b/iu;
const file =
  /(?:^|[\s`'"(])((?:[\w.@-]+\/)*[\w@-][\w.@-]*\.(?:[cm]?[jt]sx?|py|go|rs|rb|java|kt|cs|php|swift|c|h|cc|cpp|css|html|md|json|ya?ml|toml|sql|sh))(?=$|[\s`'"),:;]|\.(?:\s|$))/gmu;

/**
 * Suggests a depth from the text alone (docs/decisions/103-quick-tickets.md): quick for a short text without
 * a sign of large work. It decides nothing.
 */
export function suggestDepth({
  title,
  description,
}: {
  readonly title: string;
  readonly description: string;
}): DepthSuggestion {
  const text = `${title}\n${description}`;
  const words = text.split(/\s+/u).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
  const items = description.split('\n').filter((line) => /^\s*(?:[-*+]|\d+[.)])\s+\S/u.test(line)).length;
  const questions = text.match(/\?(?=\s|$)/gu)?.length ?? 0;
  const files = new Set([...text.matchAll(file)].map(([, name]) => name)).size;
  const [large] = largeWork.exec(text) ?? [];
  const [small] = smallWork.exec(text) ?? [];
  const reason = (name: keyof typeof depthReasonTexts, arg: string | number): DepthReason => ({
    text: depthReasonTexts[name],
    args: [arg],
  });
  const against = [
    ...(words > fewWords ? [reason('long', words)] : []),
    ...(items > mostItems ? [reason('items', items)] : []),
    ...(questions > 1 ? [reason('open', questions)] : []),
    ...(files > mostFiles ? [reason('manyFiles', files)] : []),
    ...(large === undefined ? [] : [reason('large', large.toLowerCase())]),
  ];
  if (against.length > 0) return { depth: 'full', reasons: against };
  return {
    depth: 'quick',
    reasons: [
      reason('short', words),
      ...(files > 0 ? [reason('fewFiles', files)] : []),
      ...(small === undefined ? [] : [reason('small', small.toLowerCase())]),
    ],
  };
}
