import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { jsonOf } from '../../../base/json.ts';
import { Mutex } from '../../../base/mutex.ts';
import { writeAtomically, statAt, succeeds } from '../../system/files.ts';
import { GitCli, type Place } from '../cli/gitCli.ts';
import { Revisions } from '../cli/revisions.ts';
import { removeStaleLock } from '../cli/staleLock.ts';
import {
  type SharedState,
  readSharedState,
  type TracedCommand,
  hasTraces,
  mayChangeRef,
  mayChangeSetting,
  takeTraces,
  toldGitFolder,
} from './observed.ts';
import type { Environment } from '../../system/commandEnvironment.ts';

interface Changed {
  readonly before: SharedState;
  readonly now: SharedState;
  readonly commands: readonly TracedCommand[];
  readonly say: (line: string) => void;
}

const Stored = z.object({ refs: z.record(z.string(), z.string()), files: z.record(z.string(), z.string()) });

/**
 * Takes back what gits of sessions and commands changed in shared state, keeps it and says so
 * (docs/decisions/120-shared-git-state.md). `GIT_TRACE2_EVENT` tells which gits were theirs; a person's
 * changes stay.
 */
export class SharedGuard {
  readonly #place: Place;
  readonly #commonDir: string;
  readonly #stateFolder: string;
  readonly #cli: GitCli;
  readonly #revisions: Revisions;
  readonly #isOurs: (worktree: string) => boolean;
  readonly #turns = new Mutex();
  #open = 0;
  #baseline: SharedState | undefined;
  #stored = '';

  constructor(parts: {
    root: string;
    commonDir: string;
    environment: Environment;
    isOurs: (worktree: string) => boolean;
  }) {
    this.#commonDir = parts.commonDir;
    this.#stateFolder = join(parts.commonDir, 'beadsmith');
    this.#isOurs = parts.isOurs;
    this.#place = { cwd: parts.root };
    this.#cli = new GitCli({
      folder: parts.root,
      environment: parts.environment,
      lockPatienceMs: 15_000,
      removeStaleLock,
    });
    this.#revisions = new Revisions(this.#cli);
  }

  /** Variables for sessions and commands. The folder must exist, or git makes a file of that name. */
  static async environment(commonDir: string): Promise<{ readonly GIT_TRACE2_EVENT: string }> {
    const folder = tracesIn(commonDir);
    await mkdir(folder, { recursive: true });
    return { GIT_TRACE2_EVENT: folder };
  }

  get #traces(): string {
    return tracesIn(this.#commonDir);
  }

  get #file(): string {
    return join(this.#stateFolder, 'git-baseline.json');
  }

  async around<T>(work: () => Promise<T>, say: (line: string) => void): Promise<T> {
    await this.#turns.run('', () => this.#begin(say));
    try {
      return await work();
    } finally {
      await this.#turns.run('', async () => {
        this.#open -= 1;
        await this.#settle(say);
      });
    }
  }

  async #begin(say: (line: string) => void): Promise<void> {
    // What a process left behind did since, or before the driver was killed.
    if (this.#open === 0) await this.#settle(say);
    this.#open += 1;
    if (this.#open > 1 && this.#baseline) return;
    this.#baseline = await readSharedState(this.#commonDir);
    const text = JSON.stringify(this.#baseline);
    if (text === this.#stored) return;
    await mkdir(this.#stateFolder, { recursive: true });
    await writeAtomically(this.#file, text, { mode: 0o600, durable: false });
    this.#stored = text;
  }

  async #settle(say: (line: string) => void): Promise<void> {
    if (!(await hasTraces(this.#traces))) return;
    const before = this.#baseline ?? (await this.#leftBaseline());
    const commands = await takeTraces(this.#traces);
    if (!before || commands.length === 0) return;
    const now = await readSharedState(this.#commonDir);
    await this.#takeBackRefs({ before, now, commands, say });
    await this.#takeBackFiles({ before, now, commands, say });
  }

  async #leftBaseline(): Promise<SharedState | undefined> {
    const text = await readFile(this.#file, 'utf8').catch(() => undefined);
    return Stored.safeParse(jsonOf(text ?? '')).data;
  }

  async #takeBackRefs({ before, now, commands, say }: Changed): Promise<void> {
    const names = new Set([...Object.keys(before.refs), ...Object.keys(now.refs)]);
    const stashLog = 'logs/refs/stash';
    for (const ref of names) {
      const [was, is] = [before.refs[ref], now.refs[ref]];
      const isStash = ref === 'refs/stash' && before.files[stashLog] !== now.files[stashLog];
      if ((was === is && !isStash) || [was, is].some((value) => value?.startsWith('ref:'))) continue;
      if (!commands.some((command) => mayChangeRef(command, ref, this.#isOurs))) continue;
      if (isStash) await this.#takeBackStash(before, now, say);
      else say(await this.#takeBackRef(ref, was, is));
    }
  }

  async #takeBackRef(ref: string, was: string | undefined, is: string | undefined): Promise<string> {
    const kept = await this.#keep(is);
    await this.#set(ref, was, is);
    const what = was === undefined ? 'removed again' : `put back to ${was.slice(0, 12)}`;
    return `${ref} was changed by a command of the session, and is ${what}.${kept}`;
  }

  /** Puts entries back in order; those of the worktree's commands are kept and removed. */
  async #takeBackStash(before: SharedState, now: SharedState, say: (line: string) => void): Promise<void> {
    const log = 'logs/refs/stash';
    const lines = (state: SharedState) => (state.files[log] ?? '').split('\n').filter((line) => line !== '');
    const former = lines(before);
    const hashes = new Set(former.map(newOf));
    const added = lines(now).filter((line) => !hashes.has(newOf(line)));
    // A stash names its branch: one not made on a ticket's is a person's.
    const persons = added.filter((line) => !/ [Oo]n ticket\//.test(line));
    const kept: string[] = [];
    for (const line of added) if (!persons.includes(line)) kept.push(await this.#keep(newOf(line)));
    const wanted = [...former, ...persons];
    const top = wanted.at(-1);
    if (wanted.join('\n') === lines(now).join('\n')) return;
    await this.#set('refs/stash', top === undefined ? undefined : newOf(top), now.refs['refs/stash']);
    if (top !== undefined) {
      const path = join(this.#commonDir, log);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, `${wanted.join('\n')}\n`, 'latin1');
    }
    say(
      `The stash was changed by a command of the session, and has its ${wanted.length} entries again.${kept.join('')}`,
    );
  }

  async #keep(commit: string | undefined): Promise<string> {
    const place = this.#place;
    if (commit === undefined || (await this.#revisions.find(place, commit)) === undefined) return '';
    return ` What it was is kept under ${await this.#revisions.keepUnderFree(place, 'refs/beadsmith/shared', commit)}.`;
  }

  async #set(ref: string, to: string | undefined, from: string | undefined): Promise<void> {
    if (to === from) return;
    const old = from ?? '0'.repeat((to ?? '').length);
    const args =
      to === undefined
        ? ['update-ref', '-d', ref, old]
        : ['update-ref', '--create-reflog', '-m', 'beadsmith', ref, to, old];
    await this.#cli.run(this.#place, { args });
  }

  async #takeBackFiles({ before, now, commands, say }: Changed): Promise<void> {
    const names = new Set([...Object.keys(before.files), ...Object.keys(now.files)]);
    for (const name of names) {
      const [was, is] = [before.files[name], now.files[name]];
      if (was === is || name === 'logs/refs/stash') continue;
      if (name.startsWith('config')) await this.#takeBackSettings(name, [was ?? '', is ?? ''], commands, say);
      else if (name === 'HEAD') say('HEAD of the main checkout changed while a session or command worked.');
      else if (commands.some(toldGitFolder)) {
        const path = join(this.#commonDir, name);
        const mode = (await statAt(path))?.mode;
        const aside = is === undefined ? undefined : await this.#setAside(name, is);
        if (was === undefined) await rm(path, { force: true });
        else await writeAtomically(path, was, { mode: mode ?? 0o755 });
        say(
          `.git/${name} was written while a session or command worked, and is as it was before.${aside === undefined ? '' : ` It is kept in ${aside}.`}`,
        );
      } else say(`.git/${name} changed while a session or command worked. Review it, unless you changed it.`);
    }
  }

  async #takeBackSettings(
    name: string,
    texts: readonly [string, string],
    commands: readonly TracedCommand[],
    say: (line: string) => void,
  ): Promise<void> {
    const [was, is] = await Promise.all(texts.map((text) => this.#settings(text)));
    for (const setting of new Set([...(was?.keys() ?? []), ...(is?.keys() ?? [])])) {
      const [former, present] = [was?.get(setting) ?? [], is?.get(setting) ?? []];
      if (former.join('\0') === present.join('\0')) continue;
      if (!commands.some((command) => mayChangeSetting(command, setting.toLowerCase()))) continue;
      const config = (...args: readonly string[]) =>
        this.#cli.run(this.#place, {
          args: ['config', '--file', join(this.#commonDir, name), ...args],
          allow: [0, 5],
          anySetting: true,
        });
      await config('--unset-all', setting);
      for (const value of former) await config('--add', setting, value);
      const what = former.length === 0 ? 'removed again' : `${former.join(', ')} again`;
      say(
        `${setting} of the repository's configuration was set to ${present.join(', ') || '(nothing)'} by a command of the session, and is ${what}.`,
      );
    }
  }

  async #settings(text: string): Promise<ReadonlyMap<string, readonly string[]>> {
    const { stdout } = await this.#cli.run(this.#place, {
      args: ['config', '--file', '-', '--null', '--list'],
      input: text,
      allow: [0, 3, 128],
    });
    const found = new Map<string, string[]>();
    for (const entry of stdout.split('\0').filter((part) => part !== '')) {
      const [name = '', ...value] = entry.split('\n');
      found.set(name, [...(found.get(name) ?? []), value.join('\n')]);
    }
    return found;
  }

  async #setAside(name: string, content: string): Promise<string> {
    const folder = join(this.#stateFolder, 'taken-back');
    await mkdir(folder, { recursive: true });
    for (let number = 1; ; number += 1) {
      const path = join(folder, `${name.replaceAll('/', '-')}-${number}`);
      if (await succeeds(writeFile(path, content, { flag: 'wx', encoding: 'latin1' }))) return path;
    }
  }
}

function tracesIn(commonDir: string): string {
  return join(commonDir, 'beadsmith', 'git-traces');
}

function newOf(line: string): string {
  return line.split(' ')[1] ?? '';
}
