import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { OpencodeAgent } from '../../src/adapters/opencode/opencodeAgent.ts';
import { sampleTicket } from '../../src/demo/sample/ticket.ts';
import { type ScriptedServer, startScriptedServer } from '../../src/demo/scriptedServer.ts';
import { writeSampleRepository } from '../../src/demo/writeSampleRepository.ts';
import { RelevantFilesResult } from '../../src/domain/documents/relevantFiles.ts';
import type { SessionRef } from '../../src/engine/ports/ports.ts';
import type { ToolPolicy } from '../../src/domain/usage/promptPlan.ts';
import { prompt } from '../support/models/chat.ts';
import { tempFolder } from '../support/tempFolder.ts';

const agentPrompts = {
  disabled: 'You answer.',
  read_only: 'You read.',
  default: 'You code.',
  execution_setup_online: 'You prepare.',
};
const ticket_details = `STOCK-1: ${sampleTicket.title}\n\n${sampleTicket.description}`;

/** With the real OpenCode between them. */
class Stage {
  readonly folder = tempFolder('scripted');
  readonly repository = join(this.folder.path, 'stockroom');
  readonly log = join(this.folder.path, 'requests.ndjson');
  #server: ScriptedServer | undefined;
  #agent: OpencodeAgent | undefined;

  async open(): Promise<void> {
    await writeSampleRepository(this.repository);
    this.#server = await startScriptedServer({ log: this.log });
    const options = { baseURL: this.#server.url, apiKey: 'scripted' };
    const provider = {
      scripted: { npm: '@ai-sdk/openai-compatible', options, models: { alpha: {}, beta: {} } },
    };
    this.#agent = new OpencodeAgent({
      stateDir: join(this.folder.path, 'state'),
      agentPrompts,
      config: { provider, enabled_providers: ['scripted'] },
      graceMs: 1_000,
      env: { ...process.env, XDG_DATA_HOME: join(this.folder.path, 'no-login') },
    });
  }

  get requests(): ScriptedServer['requests'] {
    return this.#server?.requests ?? [];
  }

  session(policy: ToolPolicy, title: string): Promise<SessionRef> {
    assert.ok(this.#agent);
    return this.#agent.createSession({ directory: this.repository, title, policy });
  }

  async say(session: SessionRef, policy: ToolPolicy, text: string): Promise<string> {
    assert.ok(this.#agent);
    const options = { signal: new AbortController().signal, retryLimit: 0, retryGraceMs: 10_000 };
    const reply = await this.#agent.prompt(session, { member: 'scripted/alpha', policy, text }, options);
    assert.ok(reply.ok, reply.ok ? '' : reply.failure.message);
    return reply.text;
  }

  git(...args: readonly string[]): string {
    return execFileSync('git', ['-C', this.repository, ...args], { encoding: 'utf8' }).trim();
  }

  /** As the engine does. */
  passes(command: string): boolean {
    // A runner inside a runner reports to the outer one, unless this is unset.
    const env = { ...process.env, NODE_TEST_CONTEXT: undefined };
    return spawnSync('/bin/sh', ['-c', command], { cwd: this.repository, env }).status === 0;
  }

  async close(): Promise<void> {
    await this.#agent?.stop();
    await this.#server?.close();
    this.folder.remove();
  }
}

describe('the scripted model behind the real OpenCode', () => {
  const stage = new Stage();
  before(() => stage.open());
  after(() => stage.close());

  it('lists files it has really seen, with read-only tools', async () => {
    const session = await stage.session('read_only', 'scan');
    const text = await stage.say(session, 'read_only', prompt('relevant-files-scan', { ticket_details }));
    const result = RelevantFilesResult.parse(
      parse(/<RELEVANT_FILES_RESULT>([\s\S]*)<\/RELEVANT_FILES_RESULT>/.exec(text)?.[1] ?? ''),
    );
    assert.ok(result.files.some(({ path }) => path === 'src/report.js'));
    assert.deepEqual(
      result.files.filter(({ path }) => !existsSync(join(stage.repository, path))),
      [],
    );
    assert.match(result.files.find(({ path }) => path === 'README.md')?.content_preview ?? '', /# stockroom/);
    assert.equal(stage.git('status', '--porcelain'), '');
  });

  it('codes a bead of any ticket: writes files with tools and runs their test', async () => {
    const bead_data = JSON.stringify({
      id: 'note-a-thing-1',
      title: 'Note `a` "thing"',
      targetFiles: ['beadsmith-notes/note-a-thing-1.mjs'],
      testCommands: [],
      iteration: 1,
    });
    const text = await stage.say(
      await stage.session('default', 'coding'),
      'default',
      prompt('coding', { bead_data }),
    );
    assert.match(text, /<DEV_RECORD>[\s\S]*<BEAD_STATUS>[\s\S]*bead_id: note-a-thing-1\nstatus: done/);
    assert.ok(stage.passes('node --test beadsmith-notes/note-a-thing-1.test.mjs'));
    await stage.say(
      await stage.session('default', 'final'),
      'default',
      prompt('final-test', { ticket_details, beads: bead_data }),
    );
    const added = stage.git('ls-files', '--others', '--exclude-standard').split('\n');
    const final = added.find((path) => path.includes('/final-'));
    assert.ok(final !== undefined && stage.passes(`node --test ${final}`));
    const lines = readFileSync(stage.log, 'utf8').trim().split('\n');
    assert.equal(lines.length, stage.requests.length);
    assert.ok(
      stage.requests.every(({ userAgent, session }) => userAgent.startsWith('opencode/') && session !== null),
    );
  });
});
