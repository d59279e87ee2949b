import { once } from 'node:events';
import { openSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { ReadStream, WriteStream } from 'node:tty';

/**
 * Shows a text on the terminal that controls this process and answers the line that is typed; undefined
 * without one. Where input and output of the process lead makes no difference: nothing that is piped into a
 * command decides.
 */
export async function askTerminal(text: string, signal: AbortSignal): Promise<string | undefined> {
  const windows = process.platform === 'win32';
  let input: ReadStream;
  let output: WriteStream;
  try {
    input = new ReadStream(openSync(windows ? String.raw`\\.\CONIN$` : '/dev/tty', 'r+'));
    output = new WriteStream(openSync(windows ? String.raw`\\.\CONOUT$` : '/dev/tty', 'w'));
  } catch {
    return undefined;
  }
  const lines = createInterface({ input, output, terminal: false });
  try {
    return await Promise.race([lines.question(text, { signal }), once(lines, 'close').then(() => '')]);
  } catch {
    return ''; // Ctrl-C
  } finally {
    lines.close();
    input.destroy();
    output.destroy();
  }
}
