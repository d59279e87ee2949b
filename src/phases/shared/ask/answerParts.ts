/** So many times the rest of an answer is asked for. */
const mostParts = 4;
/** So many lines are compared to find what a model has sent twice. */
const mostOverlap = 40;

const fence = /^\s*```\w*\s*$/;

/**
 * An answer that a provider cut off at its greatest length, put together from its parts
 * (docs/decisions/184-answers-in-parts.md). Only whole lines of a part are kept: the last one may have been
 * cut within a word.
 */
export class AnswerParts {
  #lines: readonly string[] = [];
  #count = 0;

  /** The last line that has arrived; empty if there is none. */
  get lastLine(): string {
    return this.#lines.findLast((line) => line.trim() !== '') ?? '';
  }

  /**
   * Keeps a part that was cut off. False if it brought nothing new, or enough parts were asked for: then it
   * is no use to ask for the rest.
   */
  keep(text: string): boolean {
    const whole = text.slice(0, text.lastIndexOf('\n') + 1).trimEnd();
    const lines = this.#joined(whole);
    const isMore = whole !== '' && lines.length > this.#lines.length && this.#count < mostParts;
    if (!isMore) return false;
    this.#lines = lines;
    this.#count += 1;
    return true;
  }

  /** The answer with its last part. */
  whole(text: string): string {
    return this.#lines.length === 0 ? text : this.#joined(text).join('\n');
  }

  /** Drops all parts. */
  clear(): void {
    this.#lines = [];
    this.#count = 0;
  }

  #joined(text: string): readonly string[] {
    const next = text.replace(/^\s*\n/, '').split('\n');
    if (this.#lines.length === 0) return next;
    // A model that sends the whole answer again is taken by its word.
    if (firstOf(next) === firstOf(this.#lines)) return next;
    const rest = isOpen(this.#lines) && fence.test(next[0] ?? '') ? next.slice(1) : next;
    return [...this.#lines, ...rest.slice(overlap(this.#lines, rest))];
  }
}

function firstOf(lines: readonly string[]): string | undefined {
  return lines.find((line) => line.trim() !== '' && !fence.test(line))?.trim();
}

/** Returns true if the lines end within a code fence. */
function isOpen(lines: readonly string[]): boolean {
  return lines.filter((line) => fence.test(line)).length % 2 === 1;
}

/** Returns the number of lines at the start of `next` that are the last ones of `lines`. */
function overlap(lines: readonly string[], next: readonly string[]): number {
  for (let count = Math.min(mostOverlap, lines.length, next.length); count > 0; count--)
    if (lines.slice(-count).every((line, at) => line.trimEnd() === next[at]?.trimEnd())) return count;
  return 0;
}
