import { isRecord } from './json.ts';
import { placesOf, type Places, type Rule, withoutOtherPaths } from './privatePlaces.ts';

/** The texts in a configuration whose names suggest secrets. */
export function secretsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(secretsOf);
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    typeof item === 'string'
      ? /key|token|secret|password|authorization/i.test(key) && item.length > 3
        ? [item]
        : []
      : secretsOf(item),
  );
}

export interface Known {
  /** Shorter than four characters are ignored. */
  readonly secrets?: Iterable<string>;
  /** Shortens paths and removes the person's name. */
  readonly places?: Places;
}

const marker = /(<(?:secret|e-mail|user|path|repository(?: \d+)?)>)/;

/**
 * A text without secrets, known or by their look (keys, login headers, passwords, e-mail addresses), for log
 * and reports. It rather removes too much.
 */
export function redact(text: string, known: Known = {}): string {
  const rules = [
    ...secretRules(known.secrets ?? []),
    ...rulesOfForm,
    ...(known.places ? placesOf(known.places) : []),
  ];
  let shown = text;
  // A removal may reveal a neighbour.
  for (let before = ''; before !== shown;) {
    before = shown;
    for (const rule of rules) shown = outsideOfMarkers(shown, rule);
    if (known.places) shown = withoutOtherPaths(shown);
  }
  return shown;
}

function outsideOfMarkers(text: string, rule: Rule): string {
  return text
    .split(marker)
    .map((part, at) => (at % 2 === 1 ? part : rule(part)))
    .join('');
}

function secretRules(secrets: Iterable<string>): readonly Rule[] {
  const longestFirst = [...new Set(secrets)]
    .filter((secret) => secret.length >= 4)
    .sort((a, b) => b.length - a.length);
  const spellings = longestFirst.flatMap((secret) => [
    ...new Set([secret, JSON.stringify(secret).slice(1, -1), inAddress(secret)]),
  ]);
  return spellings.map((secret) => (text) => text.replaceAll(secret, '<secret>'));
}

function inAddress(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

const knownForms = [
  String.raw`-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|$)`,
  String.raw`gh[pousr]_[A-Za-z0-9]{16,}`,
  String.raw`github_pat_\w{16,}`,
  String.raw`glpat-[\w-]{16,}`,
  String.raw`(?<![A-Za-z0-9])(?:sk|pk|rk)[-_][\w-]{16,}`,
  String.raw`xox[a-z]-[\w-]{8,}`,
  String.raw`xapp-[\w-]{8,}`,
  String.raw`(?:AKIA|ASIA|AROA|AIDA)[A-Z0-9]{16}`,
  String.raw`AIza[\w-]{30,}`,
  String.raw`ya29\.[\w-]{10,}`,
  String.raw`npm_[A-Za-z0-9]{20,}`,
  String.raw`pypi-[\w-]{16,}`,
  String.raw`(?:hf|gsk)_[A-Za-z0-9]{16,}`,
  String.raw`xai-[A-Za-z0-9]{16,}`,
  String.raw`SG\.[\w-]{10,}\.[\w-]{10,}`,
  String.raw`dop_v1_[a-f0-9]{32,}`,
  String.raw`AGE-SECRET-KEY-1[A-Z0-9]{16,}`,
  String.raw`(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?`,
  String.raw`hooks\.slack\.com/services/[\w/-]+`,
];

const header =
  /\b((?:proxy-)?authorization|x-[\w-]{0,20}key|api-key|(?:set-)?cookie)(\\?["']?\s{0,4}[:=]\s{0,4}\\?["']?)[^\s"'\\][^\r\n"'\\]*/gi;
const scheme =
  /\b([Bb]earer|BEARER|[Bb]asic|BASIC)(\s{1,4})(?=[\w.~+/=-]{0,200}[\dA-Z=]|[\w.~+/=-]{20})[\w.~+/=-]{6,}/g;
const login = /(?<=[a-z\d+.-]:\/\/)(?:[^\s/?#"'<>]+|[^\s/?#"'<>:@]{0,64}:[^\s"'<>@]{1,128})@/gi;
const parameter = /([?&](?:key|sig|signature|auth|code|state|session)=)[^&\s"'<>#]+/gi;
const name = String.raw`(?:api[_-]?key|access[_-]?key|private[_-]?key|secret|passwd|password|passphrase|pwd|credential|token|_auth)(?:s|[_-]?id|[_-]?key|[_-]?value)?`;
const value = String.raw`"(?:[^"\\\r\n]|\\.)*"?|\\"(?:[^"\\\r\n]|\\[^"\r\n])*|'[^'\r\n]*'?|[^\s"',;&)}\]]+`;
const assignment = new RegExp(String.raw`(${name})(\\?["']?\s{0,4}(?:=>|[=:])\s{0,4})(${value})`, 'gi');
const mail =
  /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){0,8}\.\p{L}{2,24}(?![\p{L}\p{N}])/gu;

const rulesOfForm: readonly Rule[] = [
  (text) => text.replace(header, '$1$2<secret>'),
  (text) => text.replace(scheme, '$1$2<secret>'),
  (text) => text.replace(login, '<secret>@'),
  (text) => text.replace(parameter, '$1<secret>'),
  (text) => text.replace(assignment, withoutValue),
  (text) => text.replace(new RegExp(knownForms.join('|'), 'g'), '<secret>'),
  (text) => text.replace(mail, '<e-mail>'),
];

/** Not counts of tokens and flags. `at`: where `whole` begins in `text`. */
function withoutValue(
  whole: string,
  what: string,
  sign: string,
  given: string,
  at: number,
  text: string,
): string {
  const bare = given.replace(/^\\?["']|\\?["']$/g, '');
  // `outputTokens` counts, but an `access_token` of digits is one token.
  const counts = /^tokens$/i.test(what) || (/^token$/i.test(what) && !/[\w-]/.test(text.charAt(at - 1)));
  if (/^(?:true|false|null|undefined|none|)$/i.test(bare) || (counts && /^\d{1,9}$/.test(bare))) return whole;
  const [, opened = ''] = /^(\\?["'])/.exec(given) ?? [];
  const closed = opened !== '' && given.length > opened.length && given.endsWith(opened) ? opened : '';
  return `${what}${sign}${opened}<secret>${closed}`;
}
