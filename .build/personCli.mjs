// The command line with a person at its terminal, who types each word that it asks for: what the demo and the
// tests play a person with. It is part of the checkout, never of the product.
//
//   node .build/personCli.mjs COMMAND …
import { ensureNode24 } from './node24.mjs';

ensureNode24();
const { runCli } = await import('../src/cli/runCli.ts');
const { product } = await import('../src/cli/base/product.ts');
const stop = new AbortController();
for (const name of ['SIGINT', 'SIGTERM']) process.on(name, () => stop.abort(name));
process.exitCode = await runCli(process.argv.slice(2), {
  cwd: process.cwd(),
  env: process.env,
  product,
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
