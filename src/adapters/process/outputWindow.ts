import { StringDecoder } from 'node:string_decoder';

/** The first and last bytes of an output of any length. What fits into the first part is not repeated in the last. */
export class OutputWindow {
  readonly #limit: number;
  readonly #head: Buffer[] = [];
  #headBytes = 0;
  #tail: Buffer[] = [];
  #tailBytes = 0;
  #bytes = 0;

  /** `limit`: of each part, in bytes. Default: 32 KiB. */
  constructor(limit = 32 * 1024) {
    this.#limit = limit;
  }

  add(piece: Buffer): void {
    this.#bytes += piece.length;
    const room = this.#limit - this.#headBytes;
    const first = piece.subarray(0, room);
    if (first.length > 0) {
      this.#head.push(Buffer.from(first));
      this.#headBytes += first.length;
    }
    const rest = piece.subarray(first.length);
    if (rest.length === 0) return;
    this.#tail.push(Buffer.from(rest.subarray(-this.#limit)));
    this.#tailBytes += Math.min(rest.length, this.#limit);
    // Not for every chunk: copying a window for every line of a long output would cost more than the output.
    if (this.#tailBytes > 2 * this.#limit) this.#shrink();
  }

  read(): { readonly outputBytes: number; readonly head: string; readonly tail: string } {
    this.#shrink();
    return { outputBytes: this.#bytes, head: headText(Buffer.concat(this.#head)), tail: tailText(Buffer.concat(this.#tail)) };
  }

  /** Whether the middle is missing. */
  isCut(): boolean {
    return this.#bytes > 2 * this.#limit;
  }

  #shrink(): void {
    const tail = Buffer.concat(this.#tail).subarray(-this.#limit);
    this.#tail = [tail];
    this.#tailBytes = tail.length;
  }
}

/** A character that was cut in two is left out. */
function headText(bytes: Buffer): string {
  return new StringDecoder('utf8').write(bytes);
}

function tailText(bytes: Buffer): string {
  let start = 0;
  while (start < Math.min(3, bytes.length) && ((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
  return bytes.toString('utf8', start);
}
