import * as z from 'zod';
import { findSandbox } from '../../../src/adapters/sandbox/findSandbox.ts';
import { domainFor } from '../../../src/adapters/opencode/sandbox/domains.ts';
import { OpencodeAgent } from '../../../src/adapters/opencode/opencodeAgent.ts';
import { ServerFiles } from '../../../src/adapters/opencode/server/serverFiles.ts';
import { callOptions } from './opencodeServer.ts';
import { until } from '../until.ts';

/**
 * Drives one session and is killed in the middle: `node opencodeDriver.ts '<json>'`. Prints one line when the
 * prompt is at work, with `ahead`, the nonce of a server that it started before the session.
 */
const Orders = z.object({
  stateDir: z.string(),
  directory: z.string(),
  commonDir: z.string(),
  title: z.string(),
  config: z.record(z.string(), z.unknown()),
  prompts: z.object({
    disabled: z.string(),
    read_only: z.string(),
    default: z.string(),
    execution_setup_online: z.string(),
  }),
  env: z.record(z.string(), z.string()),
  graceMs: z.number(),
  startLimitMs: z.number(),
  opencodePath: z.string().optional(),
  sandbox: z.boolean().default(false),
  ahead: z.boolean().default(false),
});

const orders = Orders.parse(JSON.parse(process.argv[2] ?? ''));
const { directory, commonDir, title, prompts, opencodePath, sandbox, ahead, ...options } = orders;
const found = await findSandbox(sandbox ? 'auto' : 'off', { commonDir });
const agent = new OpencodeAgent({
  ...options,
  sandbox: found,
  agentPrompts: prompts,
  ...(opencodePath === undefined ? {} : { opencodePath }),
});
const started = ahead ? await startAhead() : undefined;
const session = await agent.createSession({ directory, title, policy: 'default' });
const waiting = agent.prompt(session, { member: 'tiny/one', policy: 'default', text: 'go' }, callOptions());
await until(async () => (await agent.look(session)).state === 'busy', 'the server works on the prompt');
console.log(JSON.stringify({ session: session.id, ahead: started }));
console.log(JSON.stringify(await waiting));

/** Answers the server's nonce. */
async function startAhead(): Promise<string> {
  agent.prepare({ directory, policy: 'default' });
  const files = new ServerFiles(options.stateDir, domainFor('default', directory).name);
  return (await until(() => files.read(), 'the server to start')).nonce;
}
