import { randomUUID } from 'node:crypto';
import { BeadsmithError } from '../../domain/core/errors.ts';
import { modelOf, parseMember } from '../../domain/council/council.ts';
import type { SessionMessage } from '../../domain/conversation/turns.ts';
import type { ModelFacts, ToolPolicy } from '../../domain/usage/promptPlan.ts';
import { sha256 } from '../../base/sha256.ts';
import type {
  Agent,
  AgentCallOptions,
  AgentFailure,
  AgentReply,
  AgentRequest,
  SessionLook,
  SessionRef,
  Touched,
} from '../../engine/ports/ports.ts';
import { refuseProjectFiles } from './sandbox/projectFiles.ts';
import { ServerPool, type Server, type Servers, type ServersOptions } from './server/servers.ts';
import { agentNames, sessionRules } from './client/agents.ts';
import { PromptFollower, type FollowLimits } from './followPrompt.ts';
import {
  transcriptOf,
  failed,
  hasStable,
  readStoredSession,
  type StoredMessage,
} from './messages/storedMessages.ts';
import { type KnownModel, marksBeginnings, offerOf } from './models/catalogue.ts';
import type { OfferedModel } from '../../domain/usage/offeredModel.ts';
import { type Called, type OpencodeClient, type PromptInput, stopSession } from './client/opencodeClient.ts';
import { endTools } from '../system/processTree.ts';
import { allToolNotes } from './server/serverFiles.ts';
import { touchedFiles } from './touchedFiles.ts';
import { failureOf } from './failures/failureOf.ts';

export interface OpencodeAgentOptions extends ServersOptions {
  readonly agentPrompts: Readonly<Record<ToolPolicy, string>>;
  readonly limits?: Partial<FollowLimits>;
  /** Asks before each command; where nobody may be asked, none runs. Default: no. */
  readonly asksForCommands?: boolean;
}

export class OpencodeAgent implements Agent {
  readonly #options: OpencodeAgentOptions;
  readonly #pool: ServerPool;
  readonly #limits: FollowLimits;

  /** Models that gave no answer by a schema when asked to. */
  readonly #writesText = new Set<string>();
  #catalogue: ReadonlyMap<string, KnownModel> | undefined;
  #readsSchemas: Promise<boolean> | undefined;
  readonly #empty = new Set<string>();

  constructor(options: OpencodeAgentOptions) {
    this.#options = options;
    this.#pool = new ServerPool(options);
    this.#limits = { quietMs: 120_000, hungMs: 600_000, pollMs: 2_000, ...options.limits };
  }

  async createSession(options: Parameters<Agent['createSession']>[0]): Promise<SessionRef> {
    const { directory, title, policy, asks = false, structured = false } = options;
    if (this.#options.url) refuseProjectFiles(directory, this.#options.url.url);
    await this.#pool.note(policy, directory, title);
    const created = await this.#pool.for(policy, directory).with(async (server) => {
      const known = await this.#knowsAgents(server, directory);
      const guarded = this.#options.asksForCommands === true;
      const permission = sessionRules(policy, { known, asks, structured, guarded });
      return server.client.create(directory, { title, ...(permission.length === 0 ? {} : { permission }) });
    });
    const { id } = mustHave(created);
    await this.#pool.note(policy, directory, id);
    this.#empty.add(id);
    return { id, directory };
  }

  async findSession(directory: string, title: string): Promise<SessionRef | undefined> {
    const servers = this.#pool.of({ directory }, title);
    const found = await this.#read(servers, (server) => server.client.search(directory, title));
    const session = mustHave(found).find((candidate) => candidate.title === title);
    if (!session) return undefined;
    await this.#pool.noteId(directory, title, session.id);
    return { id: session.id, directory };
  }

  async look(session: SessionRef): Promise<SessionLook> {
    const servers = this.#pool.of(session, session.id);
    const status = await this.#read(servers, (server) => server.client.status(session.directory, session.id));
    const working = mustHave(status).type !== 'idle';
    const messages = await this.#messages(session);
    if (!messages) return { state: 'missing' };
    const { prompts, reply } = readStoredSession(messages);
    if (prompts === 0) return { state: 'fresh' };
    if (working) return { state: 'busy', prompts };
    return reply ? { state: 'answered', prompts, reply } : { state: 'orphaned', prompts };
  }

  async touched(session: SessionRef): Promise<Touched | undefined> {
    const messages = await this.#messages(session);
    return messages && touchedFiles(messages, session.directory);
  }

  async transcript(session: SessionRef): Promise<readonly SessionMessage[] | undefined> {
    const messages = await this.#messages(session);
    return messages && transcriptOf(messages);
  }

  async #messages({ id, directory }: SessionRef): Promise<readonly StoredMessage[] | undefined> {
    const servers = this.#pool.of({ directory }, id);
    const messages = await this.#read(servers, ({ client }) => client.messages(directory, id));
    return !messages.ok && messages.status === 404 ? undefined : mustHave(messages);
  }

  async prompt(session: SessionRef, request: AgentRequest, options: AgentCallOptions): Promise<AgentReply> {
    const servers = this.#pool.of(session, session.id);
    return servers.with(async (server) => {
      await servers.allow(parseMember(request.member).provider);
      const found = await this.#findModel(server, session.directory, request.member);
      if ('refused' in found) return failed(found.refused, { text: '', usage: null, tools: [] });
      const id = randomUUID();
      const follower = this.#follower(server, session, options, `${request.stable ?? ''}${request.text}`);
      const goesAhead = marksBeginnings(parseMember(request.member), found.model);
      const send = () => this.#send(server, session, request, { id, goesAhead });
      const reply = await follower.follow({ id, send });
      const judged = request.schema ? this.#judged(reply, request.member) : reply;
      return this.#settled(session, judged, request.policy);
    });
  }

  async await(
    session: SessionRef,
    request: Pick<AgentRequest, 'member' | 'policy'>,
    options: AgentCallOptions,
  ): Promise<AgentReply> {
    return this.#pool
      .of(session, session.id)
      .with(async (server) =>
        this.#settled(session, await this.#follower(server, session, options).follow(), request.policy),
      );
  }

  async abort(session: SessionRef): Promise<void> {
    const stopped = await this.#pool
      .of(session, session.id)
      .ifLiving(async (server) =>
        (await stopSession(server.client, session)) ? 'stopped' : (await server.alive()) ? 'works' : 'gone',
      );
    if (stopped === 'works')
      throw new BeadsmithError('LIMIT_EXPIRED', { what: 'Stopping an OpenCode session', seconds: 10 });
    if (stopped !== 'gone') await this.#endTools(session);
  }

  async forget({ id, directory }: SessionRef): Promise<void> {
    // A server's folder that showed nothing else goes as a whole.
    if (this.#pool.isOwn({ directory }, id)) return;
    const servers = this.#pool.of({ directory }, id);
    const removed = await this.#read(servers, ({ client }) => client.remove(directory, id));
    if (removed.ok || removed.status !== 404) mustHave(removed);
  }

  async release(directory: string): Promise<void> {
    for (const servers of this.#pool.knowing(directory))
      await servers.ifLiving(({ client }) => client.dispose(directory));
    await this.#pool.leave(directory);
  }

  prepare({ directory, policy }: Parameters<Agent['prepare']>[0]): void {
    // A person's running server would load files of the folder
    // (docs/decisions/121-agent-files-are-not-loaded.md).
    if (this.#options.url) return;
    // The first request has OpenCode open the folder.
    const opened = this.#pool.for(policy, directory).with(({ client }) => client.catalogue(directory));
    void opened.catch(() => undefined);
  }

  async models(worktree?: string): Promise<readonly string[]> {
    return (await this.offers(worktree)).map(({ id }) => id);
  }

  async offers(worktree?: string): Promise<readonly OfferedModel[]> {
    const models = await this.#read(await this.#pool.any(worktree), ({ client }) => client.catalogue());
    return Array.from(mustHave(models), ([id, model]) => offerOf(id, model));
  }

  async health(): Promise<{ readonly version: string; readonly url: string }> {
    let url = '';
    const called = await this.#read(await this.#pool.any(), (server) => {
      url = server.client.url;
      return server.client.health();
    });
    return { version: mustHave(called).version, url };
  }

  stop(options: { readonly keep?: boolean } = {}): Promise<void> {
    return this.#pool.stop(options.keep ?? false);
  }

  /**
   * Ends what tools left running, which would disturb checks. An unanswered call may continue in another
   * process.
   */
  async #settled(session: SessionRef, reply: AgentReply, policy: ToolPolicy): Promise<AgentReply> {
    if (reply.ok && (policy === 'default' || policy === 'execution_setup_online'))
      await this.#endTools(session);
    return reply;
  }

  async #endTools({ directory }: SessionRef): Promise<void> {
    await endTools(directory, await allToolNotes(this.#options.stateDir));
  }

  #follower(server: Server, session: SessionRef, options: AgentCallOptions, text?: string): PromptFollower {
    const { client, hub } = server;
    const tools = { client, hub, limits: this.#limits, serverAlive: () => server.alive() };
    return new PromptFollower(session, options, tools, text);
  }

  async takesSchema(
    { member, directory }: { readonly member: string; readonly directory: string },
    wanted: 'auto' | 'on',
  ): Promise<boolean> {
    if (this.#writesText.has(member)) return false;
    const { provider, model } = parseMember(member);
    const { toolcall, structured_output: structured } =
      (await this.#known(member, directory))?.capabilities ?? {};
    const mayTake = wanted === 'on' ? toolcall !== false && structured !== false : structured === true;
    if (!mayTake) return false;
    this.#readsSchemas ??= this.#tryReading(directory, { providerID: provider, modelID: model });
    return this.#readsSchemas;
  }

  async modelFacts({ member, directory }: Parameters<Agent['modelFacts']>[0]): Promise<ModelFacts> {
    const known = await this.#known(member, directory);
    return { window: known?.limit, price: known?.cost };
  }

  async #known(member: string, directory: string): Promise<KnownModel | undefined> {
    this.#catalogue ??= await this.#read(await this.#pool.any(directory), (server) =>
      server.client.catalogue(),
    ).then((known) => (known.ok ? known.value : undefined));
    return this.#catalogue?.get(modelOf(member));
  }

  /** Checks without a model whether OpenCode reads back messages with a schema, which prove answers. */
  async #tryReading(directory: string, model: PromptInput['model']): Promise<boolean> {
    return (await this.#pool.any(directory)).with(({ client }) => readsBySchema(client, directory, model));
  }

  /** A model that ignored a schema isn't asked for one again. */
  #judged(reply: AgentReply, member: string): AgentReply {
    if (reply.ok ? reply.structured === true : !isRefusedFormat(reply.failure)) return reply;
    this.#writesText.add(member);
    return reply.ok
      ? reply
      : { ...reply, failure: { ...reply.failure, kind: 'unformatted', continuable: false } };
  }

  /**
   * Answers a failure. Stable content is a message of its own only where OpenCode marks beginnings: templates
   * of open models refuse two user messages in a row (docs/decisions/155-stable-parts-go-ahead.md).
   */
  async #send(
    server: Server,
    session: SessionRef,
    request: AgentRequest,
    { id, goesAhead }: { readonly id: string; readonly goesAhead: boolean },
  ): Promise<AgentFailure | undefined> {
    const { provider, model, variant } = parseMember(request.member);
    const known = await this.#knowsAgents(server, session.directory);
    const input = (mark: PromptInput['mark'], text: string): PromptInput => ({
      session: session.id,
      agent: known ? agentNames[request.policy] : undefined,
      ...(known ? {} : { system: this.#options.agentPrompts[request.policy] }),
      model: { providerID: provider, modelID: model },
      ...(variant === undefined ? {} : { variant }),
      text,
      mark,
      ...(mark.kind === 'prompt' && request.schema ? { schema: request.schema } : {}),
    });
    const { client } = server;
    const prompt = async (text: string, stable?: string): Promise<AgentFailure | undefined> => {
      const mark = { kind: 'prompt' as const, id, ...(stable === undefined ? {} : { stable }) };
      return refusalOf(await client.send(session.directory, input(mark, text)));
    };
    const isEmpty = this.#empty.delete(session.id);
    const { stable: ahead, text } = request;
    if (ahead === undefined) return prompt(text);
    const hash = sha256(ahead);
    const messages = isEmpty ? undefined : await client.messages(session.directory, session.id);
    if (messages?.ok === false) return refusalOf(messages);
    if (messages && hasStable(messages.value, hash)) return prompt(text);
    if (!goesAhead) return prompt(`${ahead}\n\n${text}`, hash);
    const stored = await client.store(session.directory, input({ kind: 'stable', id: hash }, ahead));
    return stored.ok ? prompt(text) : refusalOf(stored);
  }

  /** Proves that OpenCode knows a model: for an unknown one it takes a prompt and stores no answer. */
  async #findModel(
    server: Server,
    directory: string,
    member: string,
  ): Promise<{ readonly model: KnownModel } | { readonly refused: AgentFailure }> {
    const name = modelOf(member);
    const seen = server.models?.get(name);
    if (seen) return { model: seen };
    const models = await server.client.catalogue(directory);
    if (!models.ok) return { refused: refusalOf(models) ?? unknown(name) };
    server.models = models.value;
    const model = models.value.get(name);
    return model ? { model } : { refused: unknown(name) };
  }

  /** A user's server may not: then sessions get the policy's rules. */
  async #knowsAgents(server: Server, directory: string): Promise<boolean> {
    if (server.ours) return true;
    const names = mustHave(await server.client.agents(directory)).map(({ name }) => name);
    return Object.values(agentNames).every((name) => names.includes(name));
  }

  /** Reads only: asked again of the next server if this one ended. */
  async #read<T>(servers: Servers, request: (server: Server) => Promise<Called<T>>): Promise<Called<T>> {
    const called = await servers.with(request);
    return called.ok || called.status !== null ? called : servers.with(request);
  }
}

function unknown(model: string): AgentFailure {
  const message = `OpenCode knows no model "${model}".`;
  return { kind: 'unknown_model', message, statusCode: null, continuable: false };
}

/** Refused as an invalid request; a model that ignores it goes in circles. */
function isRefusedFormat({ kind, statusCode }: AgentFailure): boolean {
  return (
    kind === 'unformatted' ||
    kind === 'loop' ||
    (kind === 'provider' && statusCode !== null && [400, 404, 422].includes(statusCode))
  );
}

async function readsBySchema(
  client: OpencodeClient,
  directory: string,
  model: PromptInput['model'],
): Promise<boolean> {
  const made = await client.create(directory, { title: 'Beadsmith: answers by a schema' });
  if (!made.ok) return false;
  const { id } = made.value;
  const schema = { type: 'object', properties: { ok: { type: 'boolean' } } };
  const stored = await client.store(directory, {
    session: id,
    agent: undefined,
    model,
    text: 'OK?',
    mark: { kind: 'stable', id },
    schema,
  });
  const read = await client.messages(directory, id);
  await client.remove(directory, id);
  return stored.ok && read.ok && read.value.length > 0;
}

function mustHave<T>(called: Called<T>): T {
  if (called.ok) return called.value;
  if (called.status === null || called.status === 401)
    throw new BeadsmithError('OPENCODE_GONE', {}, { continuable: true });
  const reason = `OpenCode: ${called.message}`;
  throw new BeadsmithError('UNEXPECTED', { reason }, { diagnostics: { status: called.status } });
}

function refusalOf(called: Called<unknown>): AgentFailure | undefined {
  if (called.ok) return undefined;
  if (called.status === null || called.status === 401 || called.status === 404) {
    return { kind: 'gone', message: called.message, statusCode: called.status, continuable: true };
  }
  const data = { message: called.message, statusCode: called.status };
  return { ...failureOf({ name: 'APIError', data }), statusCode: null };
}
