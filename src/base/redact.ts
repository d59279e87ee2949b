import { isRecord } from './json.ts';
import { placesOf, type Places, type Rule, withoutOtherPaths } from './privatePlaces.ts';

/** The texts of a configuration that may be secrets by the name they stand under. */
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

/** Data that is known to be private on this machine, beside what looks like a secret by itself. */
export interface Known {
  /** Texts that are secrets: passwords, keys. Those of fewer than four characters are left alone. */
  readonly secrets?: Iterable<string>;
  /** With it, paths are shortened and the person's name is left out, beside secrets and e-mail addresses. */
  readonly places?: Places;
}

/** The placeholder of a redacted text. It is never redacted again. */
const marker = /(<(?:secret|e-mail|user|path|repository(?: \d+)?)>)/;

/**
 * A text without secrets: the known ones, and what looks like one (keys of well-known forms, headers that log
 * in, passwords in addresses and assignments, e-mail addresses). The one place where this is done, for the
 * log as for reports. It would rather take out too much.
 */
export function redact(text: string, known: Known = {}): string {
  const rules = [
    ...secretRules(known.secrets ?? []),
    ...rulesOfForm,
    ...(known.places ? placesOf(known.places) : []),
  ];
  let shown = text;
  // What was taken out may be what kept a neighbour from being seen. Every turn leaves less, so this ends.
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

/** As a strict encoder writes it: marks that addresses may hold as well are spelled out. */
function inAddress(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Keys that say by their beginning what they are. */
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

/** Counts of tokens and flags are no secrets. `at`: the place in `text` at which `whole` begins. */
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
