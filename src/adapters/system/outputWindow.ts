import { StringDecoder } from 'node:string_decoder';
import { secretContext, secretSpans, withoutSpans } from '../../base/outputSecrets.ts';

/**
 * The first and last bytes of an output. A little more is kept beside each, so that a secret at the edge is
 * recognized.
 */
export class OutputWindow {
  readonly #limit: number;
  readonly #kept: number;
  readonly #head: Buffer[] = [];
  #headBytes = 0;
  #tail: Buffer[] = [];
  #tailBytes = 0;
  #bytes = 0;

  /** Bytes of each part. Default: 32 KiB. */
  constructor(limit = 32 * 1024) {
    this.#limit = limit;
    this.#kept = limit + secretContext;
  }

  add(piece: Buffer): void {
    this.#bytes += piece.length;
    const room = this.#kept - this.#headBytes;
    const first = piece.subarray(0, room);
    if (first.length > 0) {
      this.#head.push(Buffer.from(first));
      this.#headBytes += first.length;
    }
    const rest = piece.subarray(first.length);
    if (rest.length === 0) return;
    this.#tail.push(Buffer.from(rest.subarray(-this.#kept)));
    this.#tailBytes += Math.min(rest.length, this.#kept);
    // Not for every chunk: copying would cost more than the output.
    if (this.#tailBytes > 2 * this.#kept) this.#shrink();
  }

  read(secrets: readonly string[] = []): {
    readonly outputBytes: number;
    readonly head: string;
    readonly tail: string;
  } {
    this.#shrink();
    const [first, last] = [Buffer.concat(this.#head), Buffer.concat(this.#tail)];
    const isWhole = this.#bytes === first.length + last.length;
    const start = isWhole ? Buffer.concat([first, last]) : first;
    const head = partsOf(start, Math.min(this.#limit, start.length));
    const shownHead = withoutSpans(head.text, secretSpans(head.text, secrets), 0, head.edge);
    if (isWhole && this.#bytes <= this.#limit) return { outputBytes: this.#bytes, head: shownHead, tail: '' };
    const end = isWhole ? start : last;
    const tail = partsOf(end, Math.max(isWhole ? this.#limit : 0, end.length - this.#limit));
    return {
      outputBytes: this.#bytes,
      head: shownHead,
      tail: withoutSpans(tail.text, secretSpans(tail.text, secrets), tail.edge),
    };
  }

  isCut(): boolean {
    return this.#bytes > 2 * this.#limit;
  }

  #shrink(): void {
    const tail = Buffer.concat(this.#tail).subarray(-this.#kept);
    this.#tail = [tail];
    this.#tailBytes = tail.length;
  }
}

/** A character cut by the edge is left out. */
function partsOf(bytes: Buffer, edge: number): { readonly text: string; readonly edge: number } {
  const before = new StringDecoder('utf8').write(bytes.subarray(0, edge));
  return { text: before + tailText(bytes.subarray(edge)), edge: before.length };
}

function tailText(bytes: Buffer): string {
  let start = 0;
  while (start < Math.min(3, bytes.length) && ((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
  return bytes.toString('utf8', start);
}
