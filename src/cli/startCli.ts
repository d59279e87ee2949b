import { createInterface } from 'node:readline/promises';
import { product } from './base/product.ts';
import { runCli } from './runCli.ts';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { ReadStream, WriteStream } from 'node:tty';

const { stdin, stdout, stderr } = process;

export async function startCli(): Promise<void> {
  // The reader of our output may end first (`| head`), which must not stop the work.
  for (const stream of [stdout, stderr]) stream.on('error', () => undefined);
  process.exitCode = await runCli(process.argv.slice(2), {
    cwd: process.cwd(),
    env: process.env,
    product,
    signal: stopSignal((text) => stderr.write(text)),
    out: stdout,
    err: stderr,
    ...(stdin.isTTY && stdout.isTTY ? { confirm } : {}),
    askTerminal,
    readInput: async () => {
      stdin.setEncoding('utf8');
      let text = '';
      for await (const chunk of stdin) text += String(chunk);
      return text;
    },
  });
  // A connection that lingers isn't worth waiting for.
  setTimeout(() => process.exit(), 1_000).unref();
}

async function confirm(question: string): Promise<boolean> {
  const terminal = createInterface({ input: stdin, output: stdout });
  try {
    return /^y(?:es)?$/i.test((await terminal.question(question)).trim());
  } finally {
    terminal.close();
  }
}

/** The second signal ends the process at once. */
function stopSignal(say: (text: string) => void): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(name === 'SIGINT' ? 130 : 143);
      say(`\nStopping; once more ends at once.\n`);
      controller.abort(name);
    });
  return controller.signal;
}

/** Reads from the controlling terminal: nothing piped into a command decides. */
async function askTerminal(text: string, signal: AbortSignal): Promise<string | undefined> {
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
