import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { folderAt, type TempFolder, tempFolder } from '../tempFolder.ts';
import { answerLogFile, checkEndpoints } from './checkEndpoints.ts';
import { answerFaults, requestFaults, routes } from './description.ts';
import { answerGraph, commentEndpoints } from './commentEndpoints.ts';
import { type Answer, endpoints, generalEndpoints, movedTo, type StandInRepository } from './endpoints.ts';
import { mergeEndpoints } from './mergeEndpoints.ts';
import { gitBackend } from './gitBackend.ts';

/**
 * What happens to the next requests of a route, one each. `done`: the request takes effect, and the answer
 * is lost all the same.
 */
export interface Trouble {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly done?: boolean;
  readonly message?: string;
  readonly delayMs?: number;
}

/**
 * A stand-in for GitHub: real git over smart HTTP, and the used part of the API. What isn't as GitHub's
 * description says is in `faults`, requests and answers alike; tests end with `assertSound`.
 */
export class ForgeStandIn {
  readonly token = 'ghp_standin0000000000000000000000000001';
  readonly user = 'ada';
  readonly requests: string[] = [];
  readonly faults: string[] = [];
  readonly repositories = new Map<string, StandInRepository>();
  readonly #folder: TempFolder;
  readonly #troubles = new Map<string, Trouble[]>();
  readonly #server: Server;
  /** Tokens that are no longer valid. */
  readonly expired = new Set<string>();
  /** Answers that didn't change. */
  answered304 = 0;

  /** `folder`: of its repositories. Default: a new one. */
  constructor(folder?: string) {
    this.#folder = folder === undefined ? tempFolder('forge') : folderAt(folder);
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch((error: unknown) => {
        this.faults.push(String(error));
        response.destroy();
      });
    });
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    // One that nobody stops ends with its process.
    this.#server.unref();
  }

  /** Keeps its address, and nothing else. */
  reset(): void {
    this.#server.closeAllConnections();
    for (const list of [this.requests, this.faults]) list.length = 0;
    for (const all of [this.repositories, this.#troubles, this.expired, this.after]) all.clear();
    this.answered304 = 0;
    this.#folder.remove();
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    this.#folder.remove();
  }

  get isStarted(): boolean {
    return this.#server.listening;
  }

  get host(): string {
    return `127.0.0.1:${String((this.#server.address() as AddressInfo).port)}`;
  }

  /** An empty repository; its branches come by pushes. */
  addRepository(name: string, options: Partial<StandInRepository> = {}): StandInRepository {
    const git = join(this.#folder.path, `${name}.git`);
    cpSync(emptyRepository(), git, { recursive: true });
    const repository: StandInRepository = {
      name,
      id: this.repositories.size + 1,
      git,
      pulls: [],
      issues: [],
      isPrivate: false,
      hasIssues: true,
      isArchived: false,
      mayPush: true,
      protectedBranches: new Map(),
      merges: ['merge', 'squash'],
      mayAutoMerge: false,
      queues: new Set(),
      labels: [],
      collaborators: [],
      checks: [],
      checksOf: new Map(),
      statuses: [],
      ...options,
    };
    this.repositories.set(name.toLowerCase(), repository);
    return repository;
  }

  addressOf(name: string): string {
    return `http://${this.host}/${name}.git`;
  }

  /** Protects a branch in git and in the API. */
  protect(repository: StandInRepository, branch: string, checks: readonly string[] = []): void {
    repository.protectedBranches.set(branch, checks);
    const hook = join(repository.git, 'hooks', 'update');
    const cases = [...repository.protectedBranches.keys()].map((name) => `refs/heads/${name}`).join('|');
    const refuse = 'echo "error: GH006: Protected branch update failed for $1." >&2; exit 1';
    writeFileSync(hook, `#!/bin/sh\ncase "$1" in ${cases}) ${refuse};; esac\n`);
    chmodSync(hook, 0o755);
  }

  troubles(route: string, ...troubles: readonly Trouble[]): void {
    this.#troubles.set(route, [...(this.#troubles.get(route) ?? []), ...troubles]);
  }

  /** Called after a request of the route took effect, before it is answered. */
  readonly after = new Map<string, () => void>();

  /** Requests of a route so far. */
  count(route: string): number {
    return this.requests.filter((one) => one === route).length;
  }

  assertSound(): void {
    if (this.faults.length > 0) throw new Error(`GitHub would object:\n${this.faults.join('\n')}`);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', `http://${this.host}`);
    if (url.pathname.startsWith('/api/v3/') || url.pathname === '/api/graphql')
      return this.#answerApi(request, response, url);
    if (url.pathname.startsWith('/log-files/')) {
      answerLogFile(this, url.pathname, request, response);
      return;
    }
    const [, login = ''] = /^Basic (.+)$/.exec(request.headers.authorization ?? '') ?? [];
    const password = Buffer.from(login, 'base64').toString('utf8').split(':')[1];
    if (password !== this.token || this.expired.has(password)) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="GitHub"' }).end();
      return;
    }
    this.requests.push(`git ${url.pathname}${url.search}`);
    const [trouble] = this.#troubles.get('git')?.splice(0, 1) ?? [];
    if (trouble?.status !== undefined) {
      response.writeHead(trouble.status).end();
      return;
    }
    const options = {
      root: this.#folder.path,
      path: url.pathname,
      query: url.search.slice(1),
      user: this.user,
    };
    gitBackend(request, response, options);
  }

  async #answerApi(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    const path = url.pathname.slice('/api/v3'.length);
    const isGraph = url.pathname === '/api/graphql' && request.method === 'POST';
    const found = isGraph
      ? { route: 'POST /graphql', parameters: {} as Readonly<Record<string, string>> }
      : matched(request.method ?? 'GET', path);
    const body = await text(request);
    const respond = (answer: Answer): void => {
      const content = answer.body === undefined ? '' : JSON.stringify(answer.body);
      const etag = `W/"${createHash('sha256').update(content).digest('hex')}"`;
      const isKnown = answer.status === 200 && request.headers['if-none-match'] === etag;
      if (isKnown) this.answered304 += 1;
      response
        .writeHead(isKnown ? 304 : answer.status, {
          'content-type': 'application/json; charset=utf-8',
          etag,
          'x-ratelimit-limit': '5000',
          'x-ratelimit-remaining': '4999',
          'x-ratelimit-reset': String(Math.floor(Date.now() / 1_000) + 3_600),
          ...answer.headers,
        })
        .end(isKnown ? '' : content);
    };
    if (!found) {
      this.faults.push(`${String(request.method)} ${path}: isn't described`);
      respond({ status: 404, body: { message: 'Not Found' } });
      return;
    }
    const { route, parameters } = found;
    this.requests.push(route);
    const [, token = ''] = /^(?:bearer|token) (.+)$/i.exec(request.headers.authorization ?? '') ?? [];
    if (token !== this.token || this.expired.has(token)) {
      respond({ status: 401, body: { message: 'Bad credentials' } });
      return;
    }
    if (request.headers['user-agent'] === undefined) this.faults.push(`${route}: no user agent`);
    const [trouble] = this.#troubles.get(route)?.splice(0, 1) ?? [];
    if (trouble?.delayMs !== undefined) await sleep(trouble.delayMs);
    const { status = 502, headers = {}, done = false, message = 'Server Error' } = trouble ?? {};
    const failure: Answer = { status, headers, body: { message } };
    if (trouble && trouble.delayMs === undefined && !done) {
      respond(failure);
      return;
    }
    const given: unknown = body === '' ? undefined : JSON.parse(body);
    if (isGraph) {
      const answer = answerGraph(this, given);
      respond(done ? failure : answer);
      return;
    }
    const wrong = requestFaults(route, { query: url.searchParams, body: given });
    this.faults.push(...wrong.map((fault) => `${route}: ${fault}`));
    const repository = this.repositories.get(
      `${parameters['owner'] ?? ''}/${parameters['repo'] ?? ''}`.toLowerCase(),
    );
    const [endpoint, general] = [
      mergeEndpoints[route] ?? commentEndpoints[route] ?? checkEndpoints[route] ?? endpoints[route],
      generalEndpoints[route],
    ];
    const now = repository?.renamedTo;
    if (now !== undefined) {
      const moved = movedTo(url.href.replace(/\/repos\/[^/]+\/[^/?]+/, `/repos/${now}`));
      // Of other requests the method stays.
      respond(request.method === 'GET' ? moved : { ...moved, status: 307 });
      return;
    }
    if (!endpoint && !general) this.faults.push(`${route}: isn't made yet`);
    const answer = general
      ? general(this)
      : repository && endpoint && !repository.isPrivate
        ? endpoint({ forge: this, repository, parameters, query: url.searchParams, body: given, url })
        : { status: 404, body: { message: 'Not Found' } };
    const faults = answerFaults(route, answer.status, answer.body);
    this.faults.push(...faults.map((fault) => `${route} ${String(answer.status)}: ${fault}`));
    this.after.get(route)?.();
    respond(done ? failure : answer);
  }
}

let empty: TempFolder | undefined;

/** Made once: a copy needs no process. */
function emptyRepository(): string {
  if (empty) return empty.path;
  const made = tempFolder('forge-empty');
  process.once('exit', () => made.remove());
  const options = ['--quiet', '--bare', '--template=', '--initial-branch=main'];
  execFileSync('git', ['init', ...options, made.path]);
  for (const [name, value] of [
    ['http.receivepack', 'true'],
    // Tests read which tips a branch had.
    ['core.logAllRefUpdates', 'always'],
  ] as const)
    execFileSync('git', ['-C', made.path, 'config', name, value]);
  mkdirSync(join(made.path, 'hooks'));
  empty = made;
  return made.path;
}

function matched(
  method: string,
  path: string,
): { readonly route: string; readonly parameters: Readonly<Record<string, string>> } | undefined {
  for (const route of routes) {
    const [verb = '', template = ''] = route.split(' ');
    const pattern = template.replace(/\{(\w+)\}/g, (_, name: string) => `(?<${name}>${longName(name)})`);
    const found = verb === method ? new RegExp(`^${pattern}$`).exec(path) : null;
    if (!found) continue;
    const parameters = Object.entries(found.groups ?? {}).map(([name, value]) => [
      name,
      decodeURIComponent(value),
    ]);
    return { route, parameters: Object.fromEntries(parameters) as Record<string, string> };
  }
  return undefined;
}

/** Names of branches have slashes. */
function longName(name: string): string {
  return name === 'branch' || name === 'ref' ? '.+' : '[^/]+';
}
