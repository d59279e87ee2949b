import { product } from '../../src/cli/base/product.ts';
import { runCli } from '../../src/cli/runCli.ts';
import { type CliProcess, type CliResult, unattended } from './cliProcess.ts';
import { wordIn } from './commandBench.ts';

/**
 * A command line on the real product in this process. A person types each word that is asked for, unless
 * `alone`.
 */
export async function cliHere(
  args: readonly string[],
  {
    cwd = process.cwd(),
    env,
    input = '',
    alone = false,
  }: ConstructorParameters<typeof CliProcess>[1] & object = {},
): Promise<CliResult> {
  const written = { stdout: '', stderr: '' };
  const sink = (name: 'stdout' | 'stderr') => ({ write: (text: string) => (written[name] += text) });
  const code = await runCli(args, {
    cwd,
    product,
    signal: new AbortController().signal,
    out: sink('stdout'),
    err: sink('stderr'),
    env: { ...process.env, ...unattended(), ...env },
    ...(alone ? {} : { askTerminal: (text) => Promise.resolve(wordIn(text)) }),
    readInput: () => Promise.resolve(input),
  });
  return { code, ...written };
}
