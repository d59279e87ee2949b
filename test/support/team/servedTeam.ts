import { randomUUID } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import pg from 'pg';
import { RunnerRows } from '../../../src/adapters/store/postgres/runnerRows.ts';
import { TeamKeys } from '../../../src/adapters/store/postgres/teamKeys.ts';
import { openWorkerStore, type WorkerStore } from '../../../src/adapters/store/workerStore.ts';
import { locations } from '../../../src/app/locations.ts';
import { newDevice, prepareTeam } from '../../../src/app/teamDevices.ts';
import type { Address } from '../../../src/cli/serve/address.ts';
import { type ServeOptions, serveTickets, type ServedTeam } from '../../../src/cli/serve/main.ts';
import type { AuditLine } from '../../../src/cli/serve/routes.ts';
import type { TeamRole } from '../../../src/domain/team/keys.ts';
import { requestText, type SignedRequest } from '../../../src/domain/team/requests.ts';
import { sealText, type SealedEntry } from '../../../src/domain/team/seal.ts';
import type { QaChecklist } from '../../../src/domain/documents/qaChecklist.ts';
import type { InterviewSession } from '../../../src/domain/requirements/interview.ts';
import { Limits } from '../../../src/domain/settings/settings.ts';
import type { Status } from '../../../src/domain/workflow/workflow.ts';
import type { Change } from '../../../src/engine/ports/storePort.ts';
import { Me, servedAnswers, servedPaths, tokenHeader } from '../../../src/protocol/team/served.ts';
import { moveTicket } from '../engine/moveTicket.ts';
import { bead } from '../storeContract/samples.ts';
import { TeamDevice } from '../teamDevice.ts';

export const repository = 'acme/greeter';
/** What an approval of a waiting ticket is about. */
export const prd = 'title: Greet\nrequirements:\n  - It says hello.\n';

/** A runner that the bench may have. */
export const benchRunner = 'runner-1';

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  readonly code: string;
}

interface Sent {
  readonly method?: string;
  readonly body?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A team's tickets behind `beadsmith serve`, with a store that drives them. */
export class ServedBench {
  readonly audit: AuditLine[] = [];
  readonly keys: TeamKeys;
  readonly driver: WorkerStore;
  readonly #databaseUrl: string;
  readonly #servers: ServedTeam[] = [];
  readonly #owner: pg.Client;

  private constructor(databaseUrl: string, driver: WorkerStore, owner: pg.Client) {
    this.#databaseUrl = databaseUrl;
    this.driver = driver;
    this.#owner = owner;
    this.keys = new TeamKeys(databaseUrl);
  }

  static async open(databaseUrl: string): Promise<ServedBench> {
    await prepareTeam(databaseUrl);
    const options = { url: databaseUrl, repository, runner: 'bench', origin: '' };
    const driver = await openWorkerStore(locations.teamWorker, options);
    const owner = new pg.Client(databaseUrl);
    owner.on('error', () => undefined);
    await owner.connect();
    return new ServedBench(databaseUrl, driver, owner);
  }

  /** Another server of the same team, at a port of its own. */
  async serve(
    limits: NonNullable<ServeOptions['limits']> = {},
    address: Partial<Address> = {},
    rest: Partial<Pick<ServeOptions, 'url' | 'notify' | 'env'>> = {},
  ): Promise<ServedTeam> {
    const server = await serveTickets({
      url: this.#databaseUrl,
      env: process.env,
      address: { listen: { host: '127.0.0.1', port: 0 }, ...address },
      audit: (line) => this.audit.push(line),
      limits,
      ...rest,
    });
    this.#servers.push(server);
    return server;
  }

  /** A ticket whose PRD waits for its approval. */
  waiting(title: string, content = prd): Promise<string> {
    return this.#at('WAITING_PRD_APPROVAL', title, {
      type: 'artifact',
      artifact: 'prd',
      content,
      status: 'DRAFTING_PRD',
      attempt: 1,
    });
  }

  /** A ticket whose interview waits for answers. */
  asking(title: string, session: InterviewSession): Promise<string> {
    return this.#at('WAITING_INTERVIEW_ANSWERS', title, {
      type: 'artifact',
      artifact: 'interview_session',
      content: JSON.stringify(session),
      status: 'WAITING_INTERVIEW_ANSWERS',
      attempt: 1,
    });
  }

  /** A ticket with a bead whose changes wait for their review. */
  async reviewing(title: string, diff: string): Promise<string> {
    const id = await this.#at('WAITING_PR_REVIEW', title, {
      type: 'artifact',
      artifact: 'bead_diff:greet',
      content: diff,
      status: 'CODING',
      attempt: 1,
    });
    const beads = [Object.assign(bead('greet'), { status: 'done' as const })];
    await this.driver.store.commit({ ticket: id, journal: [], changes: [{ type: 'beads', beads }] });
    return id;
  }

  /** A ticket whose checks wait for a person. */
  checking(title: string, checklist: QaChecklist): Promise<string> {
    return this.#at('WAITING_MANUAL_QA', title, {
      type: 'artifact',
      artifact: 'manual_qa_checklist',
      content: JSON.stringify(checklist),
      status: 'WAITING_MANUAL_QA',
      attempt: 1,
    });
  }

  async #at(status: Status, title: string, change: Change): Promise<string> {
    const { store, claims } = this.driver;
    const input = { prefix: 'GRT', atLeast: 1, title, description: '', priority: 3 };
    const { id } = await store.createTicket(input);
    await claims.claim(id, 0);
    await store.commit({
      ticket: id,
      journal: [],
      changes: [change],
    });
    await moveTicket(store, id, status);
    const ticket = await store.ticket(id);
    if (!ticket) throw new Error(`no ${id}`);
    const run = {
      id: `run-${id}`,
      ticket: id,
      status: ticket.status,
      attempt: 1,
      parent: null,
      handlerVersion: 1,
      snapshot: { ...ticket, attempt: 1, artifacts: {} },
      limits: Limits.parse({}),
    };
    await store.commit({ ticket: id, journal: [{ kind: 'run.opened', run }] });
    return id;
  }

  async device(role: TeamRole, person = 'Ada'): Promise<TeamDevice> {
    const device = new TeamDevice();
    await this.keys.register({ ...newDevice(device.publicKey, 'phone'), person, role });
    return device;
  }

  async query<T extends pg.QueryResultRow>(
    sql: string,
    values: readonly unknown[] = [],
  ): Promise<readonly T[]> {
    return (await this.#owner.query<T>(sql, [...values])).rows;
  }

  /** A runner that was heard of now. */
  async runner(host = 'build-1', id = benchRunner): Promise<void> {
    const rows = new RunnerRows({ url: this.#databaseUrl, silentMs: 60_000, onChange: () => undefined });
    const can = { system: 'Linux', sandbox: 'yes', 'provider:openai': '3', 'tool:node': 'v24.1.0' };
    await rows.beat({ id, host, version: '1.0', can, atOnce: 2 });
    await rows.close();
  }

  /** An answer of a model, with 150 tokens. */
  async spend(ticket: string, at: number, cost: number): Promise<void> {
    const id = randomUUID();
    await this.query(
      `INSERT INTO beadsmith_1.calls (id, ticket, run, step, session, model, estimated, plan, input, output, outcome, error, started_at, ended_at)
        VALUES ($1, $2, '', '', '', 'demo/model', 0, '', '', '', 'ok', '', $3, $3)`,
      [id, ticket, at],
    );
    await this.query(
      `INSERT INTO beadsmith_1.usage (message_id, ticket, run, model, input, output, reasoning, cache_read, cache_write, cost, call)
        VALUES ($1, $2, '', 'demo/model', 100, 20, 10, 15, 5, $3, $1)`,
      [id, ticket, cost],
    );
  }

  /** All that an attack could have changed. */
  async stored(): Promise<unknown> {
    const tickets = await this.driver.store.tickets();
    return {
      tickets,
      inbox: await Promise.all(tickets.map(({ id }) => this.driver.store.inbox(id))),
      keys: await this.keys.all(),
      runners: await this.query('SELECT id, wanted FROM beadsmith.runners ORDER BY 1'),
      pairings: await this.query(
        'SELECT code_hash, person, role, used_by FROM beadsmith.pairings ORDER BY 1',
      ),
      repositories: await this.query('SELECT name FROM beadsmith.repositories ORDER BY 1'),
    };
  }

  async close(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.close()));
    await Promise.all([this.keys.close(), this.driver.store.close(), this.#owner.end()]);
  }
}

/** A browser, or a program that pretends to be one. */
export class Visitor {
  readonly url: string;
  readonly device: TeamDevice;
  /** What the browser's address line has: a proxy's, where one is in front. */
  readonly origin: string;
  /** Sent with each request. */
  readonly always: Readonly<Record<string, string>>;
  cookie = '';
  token = '';

  constructor(
    url: string,
    device = new TeamDevice(),
    { origin = url, always = {} }: Partial<Pick<Visitor, 'origin' | 'always'>> = {},
  ) {
    this.url = url;
    this.device = device;
    this.origin = origin;
    this.always = always;
  }

  send(path: string, { method = 'GET', body, headers = {} }: Sent = {}): Promise<Reply> {
    const { hostname, port } = new URL(this.url);
    const { host } = new URL(this.origin);
    return new Promise((resolve, reject) => {
      const options = {
        hostname,
        port,
        path,
        method,
        agent: false as const,
        headers: { host, ...this.always, ...(this.cookie === '' ? {} : { cookie: this.cookie }), ...headers },
      };
      const request = httpRequest(options, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          const code = /"code":"([A-Z_]+)"/.exec(text)?.[1] ?? '';
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text, code });
        });
      });
      request.on('error', reject);
      request.end(body);
    });
  }

  /** As the page does it, but for `headers`; an empty one is left out. */
  post(path: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Reply> {
    const own = {
      origin: this.origin,
      'content-type': 'application/json',
      [tokenHeader]: this.token,
      ...headers,
    };
    const given = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== ''));
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return this.send(path, { method: 'POST', body: text, headers: given });
  }

  async signed(
    kind: SignedRequest,
    about: unknown,
  ): Promise<{ readonly nonce: string; readonly signature: string }> {
    const { nonce } = servedAnswers.challenge.parse(
      JSON.parse((await this.post(servedPaths.challenge, {})).text),
    );
    return { nonce, signature: this.device.sign(requestText(kind, { origin: this.origin, nonce, about })) };
  }

  async pair(code: string, device = 'phone'): Promise<Reply> {
    const { publicKey } = this.device;
    const signed = await this.signed('pair', [code, publicKey, device]);
    return this.post(servedPaths.pair, { code, publicKey, device, ...signed });
  }

  async signIn(): Promise<this> {
    const key = this.device.id;
    const reply = await this.post(servedPaths.signIn, { key, ...(await this.signed('sign-in', key)) });
    if (reply.status !== 200) throw new Error(reply.text);
    const [cookie = ''] = reply.headers['set-cookie'] ?? [];
    this.cookie = cookie.split(';')[0] ?? '';
    this.token = Me.parse(JSON.parse(reply.text)).token;
    return this;
  }

  /** What the page sends for a decision. `at`: the repository that the seal is for. */
  decision(entry: SealedEntry, at = repository): Readonly<Record<string, unknown>> {
    return { repository, ...entry, signature: this.device.sign(sealText(at, entry)) };
  }

  decide(entry: SealedEntry): Promise<Reply> {
    return this.post(servedPaths.decide, this.decision(entry));
  }
}
