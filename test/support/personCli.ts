import { runCli } from '../../src/cli/runCli.ts';

/** The command line with a person at its terminal, who types each word that it asks for. */
const stop = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => stop.abort(name));
process.exitCode = await runCli(process.argv.slice(2), {
  cwd: process.cwd(),
  env: process.env,
  signal: stop.signal,
  out: process.stdout,
  err: process.stderr,
  askTerminal: (text) => Promise.resolve(/type (\w+): $/.exec(text)?.[1]),
  readInput: async () => {
    process.stdin.setEncoding('utf8');
    let text = '';
    for await (const chunk of process.stdin) text += String(chunk);
    return text;
  },
});
setTimeout(() => process.exit(), 1_000).unref();
