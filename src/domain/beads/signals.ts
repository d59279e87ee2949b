const signals = {
  kickoff_complete: 'KICKOFF COMPLETE',
  implementation_complete: 'IMPLEMENTATION COMPLETE',
  implementation_blocked: 'IMPLEMENTATION BLOCKED',
  review_passed: 'REVIEW PASSED',
  review_passed_with_fixes: 'REVIEW PASSED WITH FIXES',
  review_failed: 'REVIEW FAILED',
  analysis_complete: 'ANALYSIS COMPLETE',
  retro_complete: 'RETRO COMPLETE',
} as const;
type SignalName = keyof typeof signals;
const signalNames = Object.keys(signals) as readonly SignalName[];

interface Signal {
  readonly name: SignalName;
  readonly detail: string;
}

/** The expected bead (or ticket), and the nonce. */
export interface Expected {
  readonly about: string;
  readonly nonce: string;
}

/**
 * The last valid signal (docs/decisions/031-bead-marker.md): a whole line outside fences about this bead,
 * with the nonce on another line. It proves nothing.
 */
export function readSignal(text: string, { about, nonce }: Expected): Signal | undefined {
  const lines = tellingLines(text, nonce);
  const found = lines.flatMap(({ line }) => signalIn(line, about) ?? []);
  return lines.some(({ line }) => line.includes(nonce) && !signalIn(line, about)) ? found.at(-1) : undefined;
}

/**
 * True if the last non-empty line is `<promise>WORD</promise>`, with the nonce on another line. An empty word
 * is never promised.
 */
export function isPromised(text: string, word: string, nonce: string): boolean {
  if (word.trim() === '') return false;
  const lines = tellingLines(text, nonce);
  const last = lines.at(-1);
  const [, said] = /^<promise>\s*([^<>]+?)\s*<\/promise>$/.exec(last?.line.trim() ?? '') ?? [];
  const endsText = last !== undefined && text.slice(last.end).trim() === '';
  const isSame = said?.split(/\s+/).join(' ') === word.trim().split(/\s+/).join(' ');
  return isSame && endsText && lines.slice(0, -1).some(({ line }) => line.includes(nonce));
}

function signalIn(line: string, about: string): Signal | undefined {
  const [, said = '', rest = ''] = /^([A-Z][A-Z ]+): (.*)$/.exec(line.trimEnd()) ?? [];
  const name = signalNames.find((one) => signals[one] === said);
  if (name === undefined || !rest.startsWith(about)) return undefined;
  const behind = rest.slice(about.length);
  if (behind !== '' && !behind.startsWith(' - ')) return undefined;
  return { name, detail: behind.slice(3).trim().slice(0, 2_000) };
}

/**
 * The lines outside fences with a signal, promise or nonce. Other lines are never split: an answer may have
 * half a million.
 */
function tellingLines(
  text: string,
  nonce: string,
): readonly { readonly line: string; readonly end: number }[] {
  if (!text.includes(nonce)) return [];
  const literal = nonce.replaceAll(/[^\w]/g, '\\$&');
  // Only a line feed ends a line in answers.
  const telling = new RegExp(
    `(?<![^\\n])(?: {0,3}(?:\`{3}|~{3})|[A-Z][A-Z ]+: |[^\\n]*(?:<promise>|${literal}))[^\\n]*`,
    'g',
  );
  const lines: { line: string; end: number }[] = [];
  let fence = '';
  for (const { 0: line, index } of text.matchAll(telling)) {
    const [, mark = ''] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
    if (fence !== '') {
      if (mark.startsWith(fence) && line.trim() === mark) fence = '';
    } else if (mark !== '') fence = mark;
    else lines.push({ line, end: index + line.length });
  }
  return lines;
}
