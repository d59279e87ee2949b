import { exitCodes } from './exitCodes.ts';
import { nodeTooOld } from './nodeVersion.ts';
import { runCli } from './runCli.ts';
import { stopSignal } from './stopSignal.ts';

const { stdin, stdout, stderr } = process;
// The reader of our output may end first (`| head`); that is no reason to leave work half done.
for (const stream of [stdout, stderr]) stream.on('error', () => undefined);

const tooOld = nodeTooOld(process.versions.node);
if (tooOld !== undefined) {
  stderr.write(tooOld);
  process.exit(exitCodes.failed);
}

process.exitCode = await runCli(process.argv.slice(2), {
  cwd: process.cwd(),
  env: process.env,
  signal: stopSignal((text) => stderr.write(text)),
  out: stdout,
  err: stderr,
  readInput: async () => {
    stdin.setEncoding('utf8');
    let text = '';
    for await (const chunk of stdin) text += String(chunk);
    return text;
  },
});
// Everything has been closed. What still holds the process (a connection that lingers) isn't worth waiting for.
setTimeout(() => process.exit(), 1_000).unref();
