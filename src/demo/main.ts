import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { parse } from 'yaml';
import { demoScript } from './sample/sample.ts';
import { ModelScript } from './script/modelScript.ts';
import { scriptedMembers } from './providerConfig.ts';
import { startScriptedServer } from './scriptedServer.ts';

const usage = `The scripted model: an OpenAI-compatible server on loopback that stands in for a provider.

  scriptedModel [--generic | --demo | --script FILE] [--port 0] [--log FILE] [--bodies FOLDER] [--latency MS] [--rate TOKENS_PER_SECOND] [--with-parent]

Prints one JSON line {"url", "models", "script", "pid"} when it listens. Ends on SIGINT or SIGTERM; with --with-parent also when its standard
input ends, which is when the process that started it has ended.`;

try {
  const { values } = parseArgs({
    options: {
      generic: { type: 'boolean' },
      demo: { type: 'boolean' },
      script: { type: 'string' },
      port: { type: 'string', default: '0' },
      log: { type: 'string' },
      bodies: { type: 'string' },
      latency: { type: 'string', default: '0' },
      rate: { type: 'string', default: '0' },
      'with-parent': { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  if (values.help === true) {
    console.log(usage);
  } else {
    if ([values.generic, values.demo, values.script].filter((given) => given !== undefined).length > 1)
      throw new Error('Give one of --generic, --demo and --script.');
    const written =
      values.script === undefined ? undefined : ModelScript.parse(parse(readFileSync(values.script, 'utf8')));
    const script = values.demo === true ? demoScript : written;
    const server = await startScriptedServer({
      port: numberOf('--port', values.port),
      latencyMs: numberOf('--latency', values.latency),
      rate: numberOf('--rate', values.rate),
      ...(script ? { script } : {}),
      ...(values.log === undefined ? {} : { log: values.log }),
      ...(values.bodies === undefined ? {} : { bodies: values.bodies }),
    });
    console.log(
      JSON.stringify({
        url: server.url,
        models: scriptedMembers,
        script: script?.name ?? 'generic',
        pid: process.pid,
      }),
    );
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
