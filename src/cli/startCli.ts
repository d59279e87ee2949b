import { createInterface } from 'node:readline/promises';
import { askTerminal } from './askTerminal.ts';
import { product } from './base/product.ts';
import { runCli } from './runCli.ts';

const { stdin, stdout, stderr } = process;

/** Runs the command line of this process, and sets its exit code. */
export async function startCli(): Promise<void> {
  // The reader of our output may end first (`| head`); that is no reason to leave work half done.
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
  // Everything has been closed. What still holds the process (a connection that lingers) isn't worth waiting
  // for.
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

/**
 * Aborted, with the signal's name as reason, by the first Ctrl-C, SIGTERM or SIGHUP, which ends things in an
 * orderly way. The second one ends the process at once.
 */
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
