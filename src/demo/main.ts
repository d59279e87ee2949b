import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { parse } from 'yaml';
import { ModelScript } from './modelScript.ts';
import { startScriptedServer } from './scriptedServer.ts';

const usage = `The scripted model: an OpenAI-compatible server on loopback that stands in for a provider.

  scriptedModel [--generic | --script FILE] [--port 0] [--log FILE] [--latency MS] [--rate TOKENS_PER_SECOND] [--with-parent]

Prints one JSON line {"url", "models", "script", "pid"} when it listens. Ends on SIGINT or SIGTERM; with --with-parent also when its standard
input ends, which is when whoever started it is gone.`;

try {
  const { values } = parseArgs({
    options: {
      generic: { type: 'boolean' },
      script: { type: 'string' },
      port: { type: 'string', default: '0' },
      log: { type: 'string' },
      latency: { type: 'string', default: '0' },
      rate: { type: 'string', default: '0' },
      'with-parent': { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  if (values.help === true) {
    console.log(usage);
  } else {
    if (values.generic === true && values.script !== undefined) throw new Error('Give --generic or --script, not both.');
    const script = values.script === undefined ? undefined : ModelScript.parse(parse(readFileSync(values.script, 'utf8')));
    const server = await startScriptedServer({
      port: numberOf('--port', values.port),
      latencyMs: numberOf('--latency', values.latency),
      rate: numberOf('--rate', values.rate),
      ...(script ? { script } : {}),
      ...(values.log === undefined ? {} : { log: values.log }),
    });
    const models = ['scripted/alpha', 'scripted/beta'];
    console.log(JSON.stringify({ url: server.url, models, script: script?.name ?? 'generic', pid: process.pid }));
    const end = (): void => void server.close().then(() => process.exit(0));
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end);
    if (values['with-parent'] === true) process.stdin.resume().once('end', end).once('error', end);
  }
} catch (error) {
  console.error(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
  process.exitCode = 2;
}

function numberOf(option: string, text: string): number {
  const value = Number(text);
  if (!Number.isFinite(value) || value < 0) throw new Error(`${option} takes a number, not "${text}".`);
  return value;
}
