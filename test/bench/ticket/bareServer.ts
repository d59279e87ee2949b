import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { PromptFiles } from '../../../src/adapters/files/promptFiles.ts';
import { agentNames } from '../../../src/adapters/opencode/client/agents.ts';
import { basicAuth } from '../../../src/adapters/opencode/sandbox/serverHealth.ts';
import { findOpencode } from '../../../src/adapters/opencode/server/findOpencode.ts';
import { endTree } from '../../../src/adapters/system/processTree.ts';
import { type ProcessIdentity, identityOf } from '../../../src/adapters/system/processes.ts';
import { prepareServer } from '../../../src/adapters/opencode/server/serverSetup.ts';
import { agentPrompts } from '../../../src/app/createApp.ts';
import { locations } from '../../../src/app/locations.ts';
import { providerConfig } from '../../../src/demo/providerConfig.ts';
import type { ToolPolicy } from '../../../src/domain/usage/promptPlan.ts';
import { parseMember } from '../../../src/domain/council/council.ts';

const Created = z.object({ id: z.string() });
const Answered = z.object({ info: z.object({ error: z.unknown().optional() }) });

/** With the product's configuration and agents, spoken to by plain requests. */
export class BareServer {
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #process: ProcessIdentity | undefined;
  readonly #nonce: string;

  private constructor(url: string, password: string, server: ProcessIdentity | undefined, nonce: string) {
    this.#url = url;
    this.#headers = { authorization: basicAuth(password), 'content-type': 'application/json' };
    this.#process = server;
    this.#nonce = nonce;
  }

  static async start(folder: string, modelUrl: string): Promise<BareServer> {
    const binary = await findOpencode();
    const prompts = await agentPrompts(new PromptFiles(fileURLToPath(locations.prompts)));
    const setup = {
      stateDir: join(folder, 'state'),
      domain: 'bare',
      agentPrompts: prompts,
      config: providerConfig(modelUrl),
      env: process.env,
    };
    const { folder: home, env, nonce } = await prepareServer(setup, binary);
    const password = randomBytes(16).toString('hex');
    const child = spawn(binary, ['serve', '--hostname', '127.0.0.1', '--port', '0'], {
      cwd: home,
      env: { ...env, OPENCODE_SERVER_PASSWORD: password },
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
    });
    const url = await new Promise<string>((resolve, reject) => {
      let text = '';
      child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
        const found = /listening on (http:\/\/\S+)\s/.exec(text)?.[1];
        if (found !== undefined) resolve(found);
      });
      child.once('error', reject);
      child.once('exit', (code) => {
        reject(new Error(`The bare OpenCode ended with ${String(code)}.`));
      });
    });
    return new BareServer(
      url,
      password,
      child.pid === undefined ? undefined : await identityOf(child.pid),
      nonce,
    );
  }

  async create(directory: string, title: string): Promise<string> {
    return Created.parse(await this.#post('/session', directory, { title })).id;
  }

  /** Without `answer` the message is only stored. */
  async prompt(
    at: { readonly directory: string; readonly session: string },
    message: {
      readonly member: string;
      readonly policy: ToolPolicy;
      readonly text: string;
      readonly answer: boolean;
    },
  ): Promise<void> {
    const { provider, model } = parseMember(message.member);
    const body = {
      agent: agentNames[message.policy],
      model: { providerID: provider, modelID: model },
      parts: [{ type: 'text', text: message.text }],
      noReply: !message.answer,
    };
    const { info } = Answered.parse(await this.#post(`/session/${at.session}/message`, at.directory, body));
    if (info.error !== undefined) throw new Error(`A bare prompt failed: ${JSON.stringify(info.error)}`);
  }

  async stop(): Promise<void> {
    await endTree(this.#process, this.#nonce);
  }

  async #post(path: string, directory: string, body: unknown): Promise<unknown> {
    const url = `${this.#url}${path}?directory=${encodeURIComponent(directory)}`;
    const { status, text } = await post(url, this.#headers, JSON.stringify(body));
    if (status !== 200) throw new Error(`The bare OpenCode answered ${String(status)}: ${text}`);
    return JSON.parse(text);
  }
}

/** Over a new connection: the server may close a kept one at any moment. */
function post(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.once('error', reject).once('end', () => {
        resolve({ status: response.statusCode ?? 0, text });
      });
    });
    sent.once('error', reject).end(body);
  });
}
