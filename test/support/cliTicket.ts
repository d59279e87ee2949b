import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type * as z from 'zod';
import { noteFiles } from '../../src/demo/generic/noteFiles.ts';
import { ModelScript } from '../../src/demo/script/modelScript.ts';
import { ChatRequest, textOf } from '../../src/demo/script/parsedChat.ts';
import { readPrompt } from '../../src/demo/script/promptParts.ts';
import type { PrefixCache } from './models/promptCaches.ts';
import {
  type RequestRecord,
  startScriptedServer,
  type ScriptedServer,
} from '../../src/demo/scriptedServer.ts';
import { readText } from '../../src/domain/documents/base/text.ts';
import type { CliEvent } from '../../src/protocol/cliEvents.ts';
import { cliHere } from './cliHere.ts';
import { CliProcess, type CliResult, eventsOf } from './cliProcess.ts';
import { tempFolders, type TempRepository, tempRepositories } from './git/tempRepository.ts';

/** A request to a scripted model, with its whole body. */
export interface Sent {
  readonly request: Omit<RequestRecord, 'n'>;
  readonly body: string;
}

const reading = ['list', 'show', 'logs', 'usage', 'export', 'findings', 'replay'];

/** The bead that the scripted model plans for the ticket of `run`. */
export const onlyBead = 'note-greet-by-name-1';

interface TicketOptions {
  /** What the scripted models say, by task; else a generic answer. */
  readonly tasks?: unknown;
  /** Beside a package.json. */
  readonly files?: Readonly<Record<string, string>>;
  /** More of a model's configuration, for example its price. */
  readonly model?: unknown;
  /** The provider's id in OpenCode. Default: `scripted`. */
  readonly provider?: string;
  readonly cache?: PrefixCache;
}

/** A repository and the command line on the real OpenCode, with scripted models `alpha` and `beta`. */
export class CliTicket {
  readonly repository: TempRepository;
  readonly folder: string;
  readonly sent: Sent[] = [];
  readonly driving: readonly string[];
  #provider = 'scripted';
  readonly #play: {
    script?: ModelScript;
    cache?: PrefixCache;
    readonly onRequest: (request: Sent['request'], body: string) => void;
  };
  readonly #running: CliProcess[] = [];
  #exports = 0;
  #model: ScriptedServer | undefined;

  constructor(repository: TempRepository, folder: string) {
    this.repository = repository;
    this.folder = folder;
    const opencode = process.env['BEADSMITH_OPENCODE'];
    this.driving = [
      '--opencode-config',
      this.#config,
      ...(opencode === undefined ? [] : ['--opencode', opencode]),
    ];
    this.#play = { onRequest: (request, body) => this.sent.push({ request, body }) };
  }

  async start({ tasks, model = {}, provider = 'scripted', cache }: TicketOptions): Promise<this> {
    this.#provider = provider;
    if (cache) this.#play.cache = cache;
    if (tasks !== undefined) this.script(tasks);
    this.#model = await startScriptedServer(this.#play);
    const options = { baseURL: this.#model.url, apiKey: 'scripted' };
    const scripted = { npm: '@ai-sdk/openai-compatible', options, models: { alpha: model, beta: model } };
    await writeFile(
      this.#config,
      JSON.stringify({ provider: { [provider]: scripted }, enabled_providers: [provider] }),
    );
    return this;
  }

  script(tasks: unknown): void {
    this.#play.script = ModelScript.parse({
      version: 1,
      name: 'test',
      tasks: JSON.parse(JSON.stringify(tasks)) as unknown,
    });
  }

  /** It is ended after the test. */
  begin(...words: readonly string[]): CliProcess {
    const started = new CliProcess(...this.#lineOf(words));
    this.#running.push(started);
    return started;
  }

  /** One that only reads needs no process of its own. */
  cli(...words: readonly string[]): Promise<CliResult> {
    return reading.includes(words[0] ?? '') ? cliHere(...this.#lineOf(words)) : this.begin(...words).ended;
  }

  /**
   * Starts a ticket with one bead, planned quickly unless `--depth` says otherwise, and approves everything.
   */
  beginRun(...words: readonly string[]): CliProcess {
    return this.begin(
      'run',
      '--title',
      'Greet by name',
      '--model',
      `${this.#provider}/alpha`,
      ...(words.includes('--depth') ? [] : ['--depth', 'quick']),
      ...words,
      '--approve',
      'all',
      ...this.driving,
    );
  }

  run(...words: readonly string[]): Promise<CliResult> {
    return this.beginRun(...words).ended;
  }

  /**
   * A ticket with these beads, approved as far as its setup; each bead is a note. Throws when the plan is
   * refused.
   */
  async plan(
    beads: readonly { readonly id: string; readonly needs?: string }[],
    ...words: readonly string[]
  ): Promise<void> {
    const planned = [
      '--model',
      `${this.#provider}/alpha`,
      '--depth',
      'solo',
      '--skip-interview',
      '--approve',
      'interview,prd',
    ];
    ending(3, await this.cli('run', '--title', 'Write notes', ...words, ...planned, ...this.driving));
    const shown = ending(0, await this.cli('beads', 'get', 'SAMPL-1')).find(
      (event) => event.type === 'document',
    );
    const [first = ''] = shown?.content.split('\n') ?? [];
    const lines = beads.map(({ id, needs }) => {
      const { module, test } = noteFiles(id);
      const own = {
        id,
        title: `Note ${id}`,
        targetFiles: [module, test],
        testCommands: [`node --test ${test}`],
      };
      const dependencies = { blocked_by: needs === undefined ? [] : [needs], blocks: [] };
      return JSON.stringify({
        ...(JSON.parse(first) as object),
        ...own,
        acceptanceCriteria: [`${test} passes.`],
        dependencies,
      });
    });
    const file = join(this.folder, 'beads.jsonl');
    await writeFile(file, lines.join('\n'));
    ending(3, await this.cli('beads', 'put', 'SAMPL-1', '--file', file, ...this.driving));
  }

  of(task: string): readonly Sent[] {
    return this.sent.filter(({ request }) => request.task === task);
  }

  /** Throws when the export fails, or has no such document. */
  async documentText(name: string, ticket = 'SAMPL-1'): Promise<string> {
    const out = join(this.folder, `export-${String(++this.#exports)}`);
    const exported = await this.cli('export', ticket, '--to', out);
    if (exported.code !== 0) throw new Error(exported.stdout);
    return readFile(join(out, 'documents', name), 'utf8');
  }

  /** Throws as `documentText` does. */
  async document<S extends z.ZodType>(name: string, schema: S, ticket?: string): Promise<z.infer<S>> {
    const read = readText('yaml', await this.documentText(name, ticket));
    if (!read.ok) throw new Error(`${name} can't be read`);
    return schema.parse(read.value);
  }

  async records(
    ticket?: string,
  ): Promise<readonly { readonly kind: string; readonly [field: string]: unknown }[]> {
    const text = await this.documentText('bead-records.jsonl', ticket);
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as { kind: string });
  }

  async close(): Promise<void> {
    for (const { child } of this.#running) child.kill('SIGTERM');
    await Promise.all(this.#running.map(({ ended }) => ended));
    await this.#model?.close();
  }

  #lineOf(
    words: readonly string[],
  ): readonly [
    words: readonly string[],
    place: { readonly cwd: string; readonly env: Record<string, string> },
  ] {
    const env = { XDG_CONFIG_HOME: this.folder };
    return [[...words, '--repo', this.repository.root, '--json'], { cwd: this.folder, env }];
  }

  get #config(): string {
    return join(this.folder, 'opencode.json');
  }
}

/** Throws with all it printed when it ended with another code. */
export function ending(code: number, { code: found, stdout, stderr }: CliResult): readonly CliEvent[] {
  if (found !== code)
    throw new Error(
      `It ended with ${String(found)}, not ${String(code)}:\n${stdout.slice(-4_000)}\n${stderr}`,
    );
  return eventsOf(stdout);
}

export function promptOf({ body }: Sent): string {
  const { messages } = ChatRequest.parse(JSON.parse(body));
  return messages
    .filter(({ role }) => role === 'user')
    .map(textOf)
    .join('\n\n');
}

export function partOf(sent: Sent, name: string): string | undefined {
  return readPrompt(promptOf(sent)).parts.get(name);
}

/** Call it in a `describe`; it is removed after the test. */
export function cliTickets(): (options?: TicketOptions) => Promise<CliTicket> {
  const open: CliTicket[] = [];
  // Before the folders go in which its processes work.
  afterEach(async () => {
    for (const one of open.splice(0)) await one.close();
  });
  const makeRepository = tempRepositories();
  const makeFolder = tempFolders();
  return async (options = {}) => {
    const files = { 'package.json': '{ "name": "sample", "type": "module" }\n', ...options.files };
    const place = new CliTicket(await makeRepository({ files, name: 'sample' }), await makeFolder());
    open.push(place);
    return place.start(options);
  };
}
