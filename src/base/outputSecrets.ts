import { isRecord } from './json.ts';

interface Span {
  readonly start: number;
  readonly end: number;
  readonly mark: string;
}

/** Characters around a part that decide whether it is a secret: a private key has about 3,300. */
export const secretContext = 8 * 1024;

/** Only at a word's start, so that time grows linearly. */
const bare = String.raw`(?<![\w-])`;
/** Words have this form too, but keys hold digits. */
const digit = String.raw`(?=[A-Za-z_-]{0,60}\d)`;

/** Forms of secrets, which the scanner of commits knows too. */
const forms: Readonly<Record<string, string>> = {
  'private-key': String.raw`-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)`,
  github: String.raw`${bare}(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_\w{30,})`,
  gitlab: String.raw`${bare}gl(?:pat|ptt|rt|dt)-[\w-]{20,}`,
  aws: String.raw`${bare}(?:AKIA|ASIA|AROA|AIDA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Z0-9])`,
  'aws-secret-key': String.raw`(?<=\b(?:aws_?)?(?:secret_?access_?key|SECRET_?ACCESS_?KEY|SecretAccessKey|secretAccessKey)["' ]{0,3}[:=]["' ]{0,3})[A-Za-z0-9/+=]{40}(?![A-Za-z0-9/+=])`,
  google: String.raw`${bare}(?:AIza[\w-]{35}|ya29\.[\w-]{20,})`,
  slack: String.raw`${bare}(?:xox[a-z]-[\w-]{10,}|xapp-[\w-]{10,})|hooks\.slack\.com/services/[\w/-]{10,}`,
  npm: String.raw`${bare}npm_[A-Za-z0-9]{36,}|(?<=_auth(?:Token)?=)[\w+/=.-]{16,}`,
  pypi: String.raw`${bare}pypi-[\w-]{40,}`,
  provider: String.raw`${bare}(?:sk|pk|rk)[-_]${digit}[\w-]{20,}|${bare}(?:hf|gsk)_[A-Za-z0-9]{20,}|${bare}xai-[A-Za-z0-9]{20,}`,
  sendgrid: String.raw`${bare}SG\.[\w-]{16,}\.[\w-]{16,}`,
  shopify: String.raw`${bare}shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{32}`,
  linear: String.raw`${bare}lin_(?:api|oauth)_[A-Za-z0-9]{30,}`,
  vault: String.raw`${bare}hv[sbr]\.[\w-]{24,}`,
  digitalocean: String.raw`${bare}do[opr]_v1_[a-f0-9]{32,}`,
  age: String.raw`${bare}AGE-SECRET-KEY-1[A-Z0-9]{40,}`,
  token: String.raw`${bare}eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{16,}`,
  login: String.raw`(?<=[a-z]:\/\/[^\s/?#"'<>:@]{0,64}:)[^\s/?#"'<>@]{3,200}(?=@[\w.-])`,
};

const rules = Object.keys(forms);
const form = anyOf(forms);

/** A text that only names a key's first line stays. */
const wholeKey = String.raw`-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?=[\s\S]{0,200}?[A-Za-z0-9+/]{40})(?:[A-Za-z0-9+/=\s:,.\\]|-(?!----))*(?:-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----)?`;
const formInTexts = anyOf({ ...forms, 'private-key': wholeKey });

function anyOf(sources: Readonly<Record<string, string>>): RegExp {
  const all = Object.values(sources).map((source) => `(${source})`);
  return new RegExp(all.join('|'), 'g');
}

/** Finds these secrets (from four characters, in any spelling) and known forms, in order. */
export function secretSpans(text: string, secrets: Iterable<string> = [], pattern = form): readonly Span[] {
  const found: Span[] = [];
  for (const secret of new Set(secrets)) {
    if (secret.length < 4) continue;
    for (const spelling of new Set([
      secret,
      JSON.stringify(secret).slice(1, -1),
      encodeURIComponent(secret.toWellFormed()),
    ]))
      for (let at = text.indexOf(spelling); at >= 0; at = text.indexOf(spelling, at + spelling.length))
        found.push({ start: at, end: at + spelling.length, mark: '<secret>' });
  }
  for (const match of text.matchAll(pattern)) {
    const rule = rules[match.indexOf(match[0], 1) - 1] ?? '';
    found.push({ start: match.index, end: match.index + match[0].length, mark: `[redacted: ${rule}]` });
  }
  return mergedSpans(found);
}

/** Spans in order; overlapping ones merge, with the mark of the first. */
export function mergedSpans<S extends Span>(spans: readonly S[]): readonly S[] {
  const merged: S[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = merged.at(-1);
    if (last && span.start < last.end)
      merged[merged.length - 1] = { ...last, end: Math.max(last.end, span.end) };
    else merged.push(span);
  }
  return merged;
}

/** Replaces spans by their marks. One that an edge cuts is left out whole. */
export function withoutSpans(text: string, spans: readonly Span[], from = 0, to = text.length): string {
  let shown = '';
  let at = from;
  for (const { start, end, mark } of spans) {
    if (end <= from || start >= to) continue;
    shown += text.slice(at, Math.max(at, start)) + mark;
    at = end;
  }
  return at < to ? shown + text.slice(at, to) : shown;
}

/** A text without secrets, otherwise unchanged for programs. */
export function withoutSecrets(text: string, secrets: Iterable<string> = []): string {
  return withoutSpans(text, secretSpans(text, secrets));
}

/** A text's last characters, `most` at most, without secrets: also of one that begins before them. */
export function endWithoutSecrets(text: string, most: number): string {
  const kept = text.slice(-(most + secretContext));
  return withoutSpans(kept, secretSpans(kept), Math.max(0, kept.length - most));
}

/** A piece of a text without secrets, of which some may begin in what came `before`. */
export function pieceWithoutSecrets(before: string, piece: string): string {
  const text = before + piece;
  return withoutSpans(text, secretSpans(text, [], formInTexts), before.length);
}

/** A nearby server's password protects nothing, and tests name it. */
const nearby = /^@(?:localhost|127\.|\[|[\w-]+(?![\w.-]))/;

/**
 * As `withoutSecrets`, with marks that keep YAML, JSON and Markdown valid, and without local servers' logins,
 * which commands need.
 */
export function withoutSecretsInText(text: string, secrets: Iterable<string> = []): string {
  const spans = secretSpans(text, secrets, formInTexts).flatMap((span): Span[] => {
    const rule = /^\[redacted: (.*)\]$/.exec(span.mark)?.[1];
    if (rule === 'login' && nearby.test(text.slice(span.end, span.end + 80))) return [];
    return [rule === undefined ? span : { ...span, mark: `(redacted ${rule})` }];
  });
  return spans.length === 0 ? text : withoutSpans(text, spans);
}

/** As `withoutSecretsInText`, for every text in a value. */
export function withoutSecretsInValue<T>(value: T): T;
export function withoutSecretsInValue(value: unknown): unknown {
  if (typeof value === 'string') return withoutSecretsInText(value);
  if (Array.isArray(value)) return value.map((item: unknown) => withoutSecretsInValue(item));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutSecretsInValue(item)]));
}
