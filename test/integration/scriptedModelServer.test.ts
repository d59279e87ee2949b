import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { ModelScript } from '../../src/demo/script/modelScript.ts';
import { RequestRecord, type ScriptedServer, startScriptedServer } from '../../src/demo/scriptedServer.ts';
import { chat, prompt, ticketPart } from '../support/models/chat.ts';
import { tempFolder } from '../support/tempFolder.ts';

const Chunk = z.object({
  system_fingerprint: z.literal('scripted'),
  choices: z.array(
    z.object({ delta: z.object({ content: z.string().optional() }), finish_reason: z.string().nullable() }),
  ),
  usage: z
    .object({
      prompt_tokens: z.number(),
      completion_tokens: z.number(),
      prompt_tokens_details: z.object({ cached_tokens: z.number() }),
    })
    .optional(),
});
const Whole = z.object({
  choices: z
    .array(z.object({ message: z.object({ content: z.string() }), finish_reason: z.string() }))
    .length(1),
});

const draft = (stream: boolean): unknown => ({
  ...chat([prompt('prd-draft', { ticket_details: ticketPart })]),
  stream,
});

function ask(server: ScriptedServer, body: unknown): Promise<Response> {
  return fetch(`${server.url}/chat/completions`, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

describe('the scripted model server', () => {
  let server: ScriptedServer;
  afterEach(() => server.close());

  it('streams what it answers at once without streaming, with usage in the last chunk', async () => {
    server = await startScriptedServer();
    const text = await (await ask(server, draft(true))).text();
    const events = text.split('\n\n').filter((event) => event !== '');
    assert.equal(events.pop(), 'data: [DONE]');
    const chunks = events.map((event) => Chunk.parse(JSON.parse(event.replace(/^data: /, ''))));
    const streamed = chunks
      .flatMap((chunk) => chunk.choices.map((choice) => choice.delta.content ?? ''))
      .join('');
    const whole = Whole.parse(await (await ask(server, draft(false))).json());
    assert.equal(streamed, whole.choices[0]?.message.content);
    assert.ok((chunks.at(-1)?.usage?.completion_tokens ?? 0) > 10);
    assert.equal(chunks.at(-2)?.choices[0]?.finish_reason, 'stop');
    assert.equal(chunks.at(-1)?.usage?.prompt_tokens_details.cached_tokens, 0);
  });

  it('gives the same bytes for the same request', async () => {
    server = await startScriptedServer();
    const bytes = async (): Promise<string> => (await ask(server, draft(true))).text();
    assert.equal(await bytes(), await bytes());
  });

  it('keeps to its latency and rate', async () => {
    server = await startScriptedServer({ latencyMs: 120, rate: 1000 });
    const begun = performance.now();
    const text = await (await ask(server, draft(true))).text();
    const tokens =
      Chunk.parse(JSON.parse((text.split('\n\n').at(-3) ?? '').replace(/^data: /, ''))).usage
        ?.completion_tokens ?? 0;
    const least = 120 + tokens - 60;
    assert.ok(performance.now() - begun >= least, `took less than ${String(least)} ms`);
  });

  it('fails as its script says', async () => {
    const tasks = { 'prd-draft': [{ fault: 'http-429' as const }] };
    server = await startScriptedServer({ script: ModelScript.parse({ version: 1, name: 'faults', tasks }) });
    assert.equal((await ask(server, draft(true))).status, 429);
  });

  it('refuses what is no request, with a reason, and continues', async () => {
    server = await startScriptedServer();
    for (const body of ['', '{"model": 1}', 'x'.repeat(1000)]) {
      const response = await ask(server, body);
      assert.equal(response.status, 400);
      assert.match(await response.text(), /That is no request for an answer: /);
    }
    assert.equal((await fetch(`${server.url}/models`)).status, 200);
  });
});

describe('the scripted model as a process', () => {
  it('says where it listens, logs every request and ends when told to', async () => {
    const folder = tempFolder('scripted');
    const log = join(folder.path, 'deep', 'requests.ndjson');
    const main = join(import.meta.dirname, '../../src/demo/main.ts');
    const child = spawn(process.execPath, [main, '--generic', '--port', '0', '--log', log], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      const [line] = z.tuple([z.instanceof(Buffer)]).parse(await once(child.stdout, 'data'));
      const { url, models } = z
        .object({ url: z.string(), models: z.array(z.string()) })
        .parse(JSON.parse(line.toString()));
      assert.deepEqual(models, ['scripted/alpha', 'scripted/beta']);
      await (
        await fetch(`${url}/chat/completions`, {
          method: 'POST',
          body: JSON.stringify(draft(true)),
          headers: { 'user-agent': 'test/1' },
        })
      ).text();
      const record = RequestRecord.parse(JSON.parse(readFileSync(log, 'utf8')));
      assert.deepEqual(
        [record.n, record.task, record.model, record.userAgent, record.reply],
        [1, 'prd-draft', 'alpha', 'test/1', 'text'],
      );
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      assert.deepEqual(await ended, [0, null]);
    } finally {
      child.kill('SIGKILL');
      folder.remove();
    }
  });
});
