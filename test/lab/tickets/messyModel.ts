import { parse } from 'yaml';
import { sha256 } from '../../../src/base/sha256.ts';
import type { ParsedChat } from '../../../src/demo/script/parsedChat.ts';
import { unfenced } from '../../../src/demo/script/promptParts.ts';
import type { Disguise } from '../../../src/demo/scriptedServer.ts';
import { artifacts } from '../../support/answers/artifacts.ts';
import { manners } from '../../support/answers/careless.ts';
import { type Style, readable, refused } from '../../support/answers/styles.ts';

/** `value`: undefined when the answer isn't to be taken for a document. */
export interface Said {
  readonly task: string;
  readonly style: string;
  readonly value: unknown;
  readonly text: string;
}

/** Where they differ from the corpus. */
const artifactOf: Readonly<Record<string, string>> = {
  'interview-vote': 'vote',
  'prd-vote': 'vote',
  'beads-vote': 'vote',
  'interview-qa': 'interview-batch',
  'interview-answers': 'interview-batch',
  'relevant-files-scan': 'relevant-files',
  setup: 'setup-result',
};
/** Nothing refers to them word for word. */
const freeTexts = new Set([
  'interview-draft',
  'prd-draft',
  'beads-draft',
  'vote',
  'relevant-files',
  'pull-request',
]);
const refusedShare = 0.12;

/** In styles of the corpus, by a seed; some can't be read. */
export class MessyModel implements Disguise {
  readonly said: Said[] = [];
  private readonly plainOf = new Map<string, string>();
  private readonly seed: string;
  private readonly counts = new Map<string, number>();

  constructor(seed: string) {
    this.seed = seed;
  }

  write(text: string, chat: ParsedChat): string {
    const written = this.styled(text, chat);
    this.plainOf.set(written.trim(), text);
    return written;
  }

  plain(said: string): string {
    return this.plainOf.get(said.trim()) ?? said;
  }

  private styled(text: string, chat: ParsedChat): string {
    const { task, model } = chat;
    // Not by the prompt: its folders and times change.
    const asked = `${this.seed} ${task} ${model}`;
    const count = (this.counts.get(asked) ?? 0) + 1;
    this.counts.set(asked, count);
    const number = Number.parseInt(sha256(`${asked} ${String(count)}`).slice(0, 12), 16);
    if (task === 'coding') return markerStyles[number % markerStyles.length]?.(text) ?? text;
    const name = text.includes('<INTERVIEW_COMPLETE>') ? 'interview-complete' : (artifactOf[task] ?? task);
    const artifact = artifacts[name];
    if (!artifact) return text;
    const meant = valueOf(text, artifact.tag, artifact.lines ?? false);
    const careless = manners.filter(({ fits }) => isObject(meant) && fits?.(artifact, meant) !== false);
    const styles =
      number % 1000 < 1000 * refusedShare
        ? [...refused, ...careless.filter((manner) => manner.refused)]
        : [
            ...readable.filter(({ change }) => freeTexts.has(name) || !change),
            ...careless.filter((manner) => !manner.refused),
          ];
    const style: Style | undefined = styles[Math.floor(number / 1000) % styles.length];
    if (!style) return text;
    const value = style.change?.(meant) ?? meant;
    const written = style.write(artifact, value);
    this.said.push({ task, style: style.name, value: style.refused ? undefined : value, text: written });
    return written;
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function valueOf(text: string, tag: string | undefined, lines: boolean): unknown {
  const inner =
    tag === undefined ? text : (new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(text)?.[1] ?? text);
  if (!lines) {
    const value: unknown = parse(unfenced(inner));
    return value;
  }
  return inner
    .split('\n')
    .filter((line) => line.trimStart().startsWith('{'))
    .map((line): unknown => JSON.parse(line));
}

/** All say the same. */
const markerStyles: readonly ((report: string) => string)[] = [
  (report) => report,
  (report) => `All done! Here is my report.\n\n${report}\n\nLet me know if anything is missing.`,
  (report) => `\`\`\`yaml\n${report}\`\`\``,
  (report) => report.replaceAll(/<(\/?)BEAD_STATUS>/g, '<$1bead_status>'),
  (report) => report.replaceAll(/^( *)(bead_id|status|checks|tests|lint):/gm, '$1**$2**:'),
  (report) => report.replace('status: done', 'status: Done ✅'),
  (report) => report.replace('status: done', 'Status: COMPLETED'),
  (report) => report.replaceAll(': pass', ': ✅ passed'),
  (report) =>
    report.replace('lint: pass', 'lint: n/a').replace('typecheck: pass', 'typecheck: N/A (no types here)'),
  (report) =>
    `${report.replace('status: done', 'status: in_progress')}\n\nNow everything is in place:\n\n${report}`,
  (report) => `<think>\nThe tests pass, so I can report.\n</think>\n${report}`,
  (report) => report.replaceAll('\n', '\r\n'),
];
