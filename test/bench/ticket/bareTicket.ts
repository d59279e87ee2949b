import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { BareServer } from './bareServer.ts';
import type { PortCall } from './portMeter.ts';
import type { Deed, Stage } from './recording.ts';

interface BareScene {
  /** Also of the driven side: prompts name files by their whole path. */
  readonly folder: string;
  readonly drivenFolder: string;
  readonly repository: string;
  readonly modelUrl: string;
}

/**
 * The deeds of a driven ticket as a straight script, without any check. Answers its milliseconds, from before
 * the server is started until it has ended, and what they went into.
 */
export async function runBareTicket(
  scene: BareScene,
  stages: readonly Stage[],
): Promise<{ readonly wallMs: number; readonly calls: readonly PortCall[] }> {
  const start = performance.now();
  const server = await BareServer.start(scene.folder, scene.modelUrl);
  const script = new BareScript(scene, server);
  try {
    for (const lanes of stages) await Promise.all(lanes.map((deeds) => script.run(deeds)));
  } finally {
    await server.stop();
  }
  return { wallMs: performance.now() - start, calls: script.calls };
}

class BareScript {
  readonly calls: PortCall[] = [];
  readonly #scene: BareScene;
  readonly #server: BareServer;
  readonly #worktree: string;
  readonly #sessions = new Map<string, string>();
  /** By the driven side's. */
  readonly #commits = new Map<string, string>();

  constructor(scene: BareScene, server: BareServer) {
    this.#scene = scene;
    this.#server = server;
    this.#worktree = join(dirname(scene.repository), 'stockroom.worktrees', 'STOCK-1');
  }

  async run(deeds: readonly Deed[]): Promise<void> {
    for (const deed of deeds) {
      const from = performance.now();
      await this.#do(deed);
      const port = deed.kind === 'prompt' ? 'agent' : deed.kind === 'command' ? 'process' : 'git';
      this.calls.push({ port, method: deed.kind, args: [], result: undefined, from, to: performance.now() });
    }
  }

  async #do(deed: Deed): Promise<void> {
    switch (deed.kind) {
      case 'prompt':
        return this.#prompt(deed);
      case 'command':
        await execute('/bin/sh', ['-c', deed.command], this.#worktree, { mayFail: true });
        return;
      case 'worktree':
        await execute(
          'git',
          ['worktree', 'add', '--quiet', '-b', deed.branch, this.#worktree, 'HEAD'],
          this.#scene.repository,
        );
        this.#commits.set(deed.commit, (await this.#git('rev-parse', 'HEAD')).trim());
        return;
      case 'commit': {
        const trailers = Object.entries(deed.trailers).flatMap(([name, value]) => [
          '--trailer',
          `${name}: ${value}`,
        ]);
        await this.#git('add', '--all', '--', ...deed.paths);
        await this.#git('commit', '--quiet', '--message', deed.message, ...trailers);
        this.#commits.set(deed.sha, (await this.#git('rev-parse', 'HEAD')).trim());
        return;
      }
      case 'reset': {
        const commit = this.#commits.get(deed.commit);
        if (commit === undefined) throw new Error(`The bare side has no commit for ${deed.commit}.`);
        await this.#git('reset', '--hard', '--quiet', commit);
        await this.#git('clean', '-fdq');
      }
    }
  }

  async #prompt({ session, member, policy, stable, text }: Extract<Deed, { kind: 'prompt' }>): Promise<void> {
    const known = this.#sessions.get(session);
    const id =
      known ?? (await this.#server.create(this.#worktree, `bare ${String(this.#sessions.size + 1)}`));
    this.#sessions.set(session, id);
    const at = { directory: this.#worktree, session: id };
    const here = (words: string): string => words.replaceAll(this.#scene.drivenFolder, this.#scene.folder);
    if (stable !== undefined)
      await this.#server.prompt(at, { member, policy, text: here(stable), answer: false });
    await this.#server.prompt(at, { member, policy, text: here(text), answer: true });
  }

  #git(...args: readonly string[]): Promise<string> {
    return execute('git', args, this.#worktree);
  }
}

/** A command that may fail gives what it printed all the same. */
async function execute(
  file: string,
  args: readonly string[],
  cwd: string,
  options: { readonly mayFail?: boolean } = {},
): Promise<string> {
  const done = promisify(execFile)(file, args, { cwd, maxBuffer: 64 * 1024 * 1024 });
  if (options.mayFail === true) return done.then(({ stdout }) => stdout).catch(() => '');
  return (await done).stdout;
}
