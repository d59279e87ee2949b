import { join } from 'node:path';
import * as z from 'zod';
import { findSandbox } from '../../../src/adapters/sandbox/findSandbox.ts';
import { OpencodeAgent } from '../../../src/adapters/opencode/opencodeAgent.ts';
import { callOptions } from './opencodeServer.ts';
import { until } from '../until.ts';

/**
 * A process that drives one session and is killed in the middle: `node opencodeDriver.ts '<json>'`. It prints one line when the prompt is at work.
 */
const Orders = z.object({
  stateDir: z.string(),
  directory: z.string(),
  title: z.string(),
  config: z.record(z.string(), z.unknown()),
  prompts: z.object({ disabled: z.string(), read_only: z.string(), default: z.string(), execution_setup_online: z.string() }),
  env: z.record(z.string(), z.string()),
  graceMs: z.number(),
  startLimitMs: z.number(),
  opencodePath: z.string().optional(),
  sandbox: z.boolean().default(false),
});

const orders = Orders.parse(JSON.parse(process.argv[2] ?? ''));
const { directory, title, prompts, opencodePath, sandbox, ...options } = orders;
const box = await findSandbox(sandbox ? 'auto' : 'off', { commonDir: join(directory, '.git') });
const agent = new OpencodeAgent({
  ...options,
  sandbox: box,
  agentPrompts: prompts,
  ...(opencodePath === undefined ? {} : { opencodePath }),
});
const session = await agent.createSession({ directory, title, policy: 'default' });
const waiting = agent.prompt(session, { member: 'tiny/one', policy: 'default', text: 'go' }, callOptions());
await until(async () => (await agent.look(session)).state === 'busy', 'the server works on the prompt');
console.log(JSON.stringify({ session: session.id }));
console.log(JSON.stringify(await waiting));
