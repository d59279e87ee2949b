import { join } from 'node:path';
import { readFileSync } from 'node:fs';
import type { RequestContent } from '../../../src/domain/ticket/agentRequest.ts';
import type {
  Agent,
  AgentCallOptions,
  AgentReply,
  Git,
  Ports,
  SessionRef,
  TicketFiles,
} from '../../../src/engine/ports/ports.ts';
import type { Workplace } from '../../../src/engine/ports/workplacePort.ts';
import type { SimulatedDriver } from './driver.ts';
import type { World } from './world.ts';
import { shippedPersonas } from '../../support/models/shippedPersonas.ts';
import { noForge } from '../../support/fakes/noForge.ts';
import { readsAtOnce } from '../../support/fakes/readsAtOnce.ts';

/** The product's own prompts stay; every task's is one line that says which step asks. */
const own = Object.fromEntries(
  ['structured-repair', 'continue', 'shorter-answer', 'answer-rest'].map((name) => [
    name,
    readFileSync(join(import.meta.dirname, `../../../prompts/${name}.md`), 'utf8'),
  ]),
);

function promptText(name: string): string {
  const policy = name === 'coding' ? 'default' : 'read_only';
  const front = `---\nabout: A simulated task.\ninputs: [identity]\nbudget: 1000000\npolicy: ${policy}\noutput: one line\n---\n`;
  return own[name] ?? `${front}# Beadsmith task: ${name}\n\nidentity: {{identity}}\n`;
}

/** Each call goes over a wire. */
export function agentPort(world: World, driver: SimulatedDriver): Agent {
  const { server } = world;
  const wire = <T>(name: string, args: readonly unknown[], act: () => T | Promise<T>): Promise<T> =>
    driver.call(`agent.${name}`, args, act);
  const part: Partial<Agent> = {
    createSession: (options) =>
      wire('createSession', [options], () => server.create(options.directory, options.title)),
    findSession: (directory, title) =>
      wire('findSession', [directory, title], () => server.find(directory, title)),
    look: (session) => wire('look', [session], () => server.look(session.id)),
    takesSchema: async () => false,
    modelFacts: async () => ({}),
    touched: async () => undefined,
    transcript: async () => undefined,
    prompt: (session, request, options) =>
      wire('prompt', [session, request], () => {
        world.receive(driver, session.id, request, options.onRequest !== undefined);
        return followed(world, driver, session, options);
      }),
    await: (session, _request, options) =>
      wire('await', [session], () => followed(world, driver, session, options)),
    abort: (session) => wire('abort', [session], () => server.abort(session.id)),
    release: async () => undefined,
    models: async () => ['sim/one', 'sim/two', 'sim/three'],
  };
  return whole('agent', part);
}

/** A person decides what the agent asks meanwhile. */
async function followed(
  world: World,
  driver: SimulatedDriver,
  { id }: SessionRef,
  options: AgentCallOptions,
): Promise<AgentReply> {
  const prompt = world.server.last(id);
  if (!prompt) throw new Error('Nothing was asked in this session.');
  const stop = (): void => world.server.abort(id);
  if (options.signal.aborted) stop();
  options.signal.addEventListener('abort', stop, { once: true });
  if (prompt.asking && options.onRequest) {
    const withdrawn = new AbortController();
    void prompt.ended.promise.then(() => withdrawn.abort());
    const content: RequestContent = { kind: 'question', questions: [question] };
    const decision = await options.onRequest(
      { asked: `${id}#${String(prompt.number)}`, content },
      withdrawn.signal,
    );
    if (decision) await driver.call('agent.reply', [id], () => world.server.decide(id));
  }
  const reply = await prompt.ended.promise;
  options.signal.removeEventListener('abort', stop);
  return reply;
}

const question = { header: 'Colour', text: 'Which colour?', options: [], multiple: false, custom: true };

export function otherPorts(world: World, driver: SimulatedDriver): Omit<Ports, 'agent' | 'store' | 'clock'> {
  return {
    git: gitPort(world, driver),
    process: {
      run: (command, { cwd }) =>
        driver.call('process.run', [command, cwd], () => {
          const tree = /^test (\S+)$/.exec(command)?.[1];
          const passes = tree === undefined || world.repository.test(tree);
          const ended = {
            exitCode: passes ? 0 : 1,
            signal: null,
            timedOut: false,
            durationMs: 5,
            outputBytes: 0,
            head: '',
            tail: '',
          };
          return { command, cwd, ...ended };
        }),
    },
    workplace: whole<Workplace>('workplace', {
      facts: () => Promise.reject(new Error('Nobody asks for the facts of a simulated machine.')),
      release: (ticket) => driver.call('workplace.release', [ticket], () => undefined),
    }),
    files: whole<TicketFiles>('files', {
      write: async () => undefined,
      exists: async () => true,
      read: async () => undefined,
      remove: async () => undefined,
    }),
    secrets: { scan: async () => [] },
    forge: {
      name: 'simulated',
      publish: (request) =>
        driver.call('forge.publish', [request], () => {
          world.published.push({ ticket: request.ticket, commit: request.commit });
          return { location: `forge/${request.ticket}` };
        }),
      find: (ticket) =>
        driver.call('forge.find', [ticket], () => {
          const found = world.published.findLast((one) => one.ticket === ticket);
          return found && { location: `forge/${ticket}`, commit: found.commit };
        }),
    },
    forges: noForge,
    tokens: { count: async (text) => Math.ceil(text.length / 4) },
    signer: { sign: () => Promise.resolve(undefined) },
    texts: readsAtOnce,
    prompts: {
      read: async (name) => ({ text: promptText(name) }),
      overrides: async () => [],
      personas: () => shippedPersonas(),
    },
    events: { emit: (event) => world.saw(event) },
  };
}

function gitPort(world: World, driver: SimulatedDriver): Git {
  const { repository } = world;
  const git = <T>(name: string, args: readonly unknown[], act: () => T): Promise<T> =>
    driver.call(`git.${name}`, args, act);
  return whole<Git>('git', {
    head: (worktree) => git('head', [worktree], () => repository.head(worktree)),
    addWorktree: (options) =>
      git('addWorktree', [options], () => {
        const path = `/sim.worktrees/${options.ticket}`;
        repository.addWorktree(path, options.branch, options.commit);
        return { path };
      }),
    detach: () => Promise.resolve(),
    removeWorktree: (path) =>
      git('removeWorktree', [path], () => {
        repository.worktrees.delete(path);
        return null;
      }),
    removeScratch: (name) => git('removeScratch', [name], () => undefined),
    resolve: (revision) => git('resolve', [revision], () => repository.refs.get(revision)),
    writeTree: (worktree) =>
      git('writeTree', [worktree], () => repository.treeOf(repository.worktree(worktree).files)),
    treeOf: (commit) => git('treeOf', [commit], () => repository.commit(commit).tree),
    candidate: (worktree, { start, message, trailers, ref }) =>
      git('candidate', [worktree], () => repository.candidate(worktree, start, message, trailers, ref)),
    adopt: (worktree, candidate, start) =>
      git('adopt', [worktree, candidate], () => {
        repository.move(`refs/heads/${repository.worktree(worktree).branch}`, candidate, start);
      }),
    keep: (worktree, ref, message) =>
      git('keep', [worktree, ref], () => repository.keep(worktree, ref, message)),
    resetHard: (worktree, commit) =>
      git('resetHard', [worktree, commit], () => {
        repository.reset(worktree, commit);
        return null;
      }),
    merge: ({ base, commit }) =>
      git('merge', [base, commit], () => {
        const ref = `refs/heads/${base}`;
        repository.move(
          ref,
          commit,
          repository.history(commit).find(({ sha }) => sha === repository.refs.get(ref))?.sha ?? 'nothing',
        );
        return commit;
      }),
  });
}

/** Another call says so. */
function whole<T extends object>(name: string, part: Partial<T>): T {
  return new Proxy(part, {
    get: (target, key) => {
      const found: unknown = Reflect.get(target, key);
      if (found === undefined) throw new Error(`The simulated ${name} can't ${String(key)}`);
      return found;
    },
  }) as T;
}
