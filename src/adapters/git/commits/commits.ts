import { BeadsmithError } from '../../../domain/core/errors.ts';
import type { GitCli, Place } from '../cli/gitCli.ts';
import { durable } from '../cli/revisions.ts';
import type { Setting } from '../settings/foreignSettings.ts';
import { CommitSha } from '../../../domain/core/ids.ts';
import type { GraftWork } from '../../../engine/ports/ports.ts';
import { placeOf, withIndexIn } from '../worktrees/worktreeIndex.ts';
import type { OwnWorktree } from '../worktrees/worktreePlaces.ts';
import type { Environment } from '../../system/commandEnvironment.ts';

interface NewCommit {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
  readonly trailers?: Readonly<Record<string, string>>;
  /** No branch gets it, so it needs no signature. */
  readonly internal?: boolean;
}

/** Creates commit objects, signed if the person's git signs commits. */
export class Commits {
  readonly #cli: GitCli;
  readonly #environment: Environment;

  constructor(cli: GitCli, environment: Environment) {
    this.#cli = cli;
    this.#environment = environment;
  }

  /** Throws SIGNING_FAILED. */
  async make(place: Place, commit: NewCommit): Promise<string> {
    return this.signed(place, commit.internal === true, (sign) => this.#write(place, commit, sign));
  }

  async signed<T>(place: Place, internal: boolean, call: (sign: boolean) => Promise<T>): Promise<T> {
    if (internal || (await signingIn(this.#cli, place)) !== 'on') return call(false);
    try {
      return await call(true);
    } catch (error) {
      if (!(error instanceof BeadsmithError) || error.code !== 'GIT_FAILED') throw error;
      const reason = error.args['reason'] ?? error.message;
      throw new BeadsmithError('SIGNING_FAILED', { reason }, { cause: error });
    }
  }

  /** Signs a commit to notice a missing key early. Throws SIGNING_FAILED. */
  async trySigning(place: Place): Promise<Signing> {
    await this.signed(place, false, async (sign) => {
      if (!sign) return;
      const tree = await this.#cli.text(place, 'rev-parse', '--verify', '--end-of-options', 'HEAD^{tree}');
      await this.#write(place, { tree, parents: [], message: 'A trial of signing' }, sign);
    });
    return signingIn(this.#cli, place);
  }

  async #write(place: Place, commit: NewCommit, sign: boolean): Promise<string> {
    const parents = commit.parents.flatMap((parent) => ['-p', parent]);
    const { stdout } = await this.#cli.run(place, {
      args: ['commit-tree', ...(sign ? ['-S'] : []), ...parents, '-F', '-', commit.tree],
      input: messageOf(commit.message, commit.trailers ?? {}),
      env: await this.identity(place),
      config: durable,
    });
    return stdout.trim();
  }

  #isComplete = false;

  /** The person's identity as environment, completed: git would guess `root@host`. */
  async identity(place: Place): Promise<Record<string, string>> {
    if (this.#isComplete) return {};
    const configured = new Set((await this.#cli.settings(place)).map(({ name }) => name));
    const filled: Record<string, string> = {};
    for (const role of ['author', 'committer']) {
      for (const [field, value] of Object.entries({ name: 'Beadsmith', email: 'beadsmith@localhost' })) {
        const variable = `GIT_${role}_${field}`.toUpperCase();
        if (
          this.#environment[variable] === undefined &&
          !configured.has(`${role}.${field}`) &&
          !configured.has(`user.${field}`)
        ) {
          filled[variable] = value;
        }
      }
    }
    this.#isComplete = Object.keys(filled).length === 0;
    return filled;
  }
}

/** Trailers are a last paragraph, so no text of a ticket is mistaken for one. */
function messageOf(message: string, trailers: Readonly<Record<string, string>>): string {
  // git refuses NUL; other control characters don't belong in a log.
  const text = message.replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, ' ').trim() || 'Change';
  const lines = Object.entries(trailers).map(
    ([key, value]) => `${key}: ${value.replace(/\p{Cc}+/gu, ' ').trim()}`,
  );
  return lines.length === 0 ? `${text}\n` : `${text}\n\n${lines.join('\n')}\n`;
}

/** `foreign`: the repository names the signing program, so it isn't started. */
type Signing = 'on' | 'off' | 'foreign';

const signingNames = /^(?:commit\.gpgsign|gpg\.(?:.*\.)?program|gpg\.ssh\.defaultkeycommand)$/;

/**
 * Finds if and by what the person's git signs (docs/decisions/079-signed-commits.md). An agent can write the
 * repository's configuration, so its program doesn't count.
 */
async function signingIn(cli: GitCli, place: Place): Promise<Signing> {
  const entries = (await cli.settings(place)).filter(({ name }) => signingNames.test(name));
  const wanted = entries.findLast(({ name }) => name === 'commit.gpgsign');
  if (!wanted || !isTrue(wanted.value)) return 'off';
  const isTrusted = ({ name, scope }: Setting): boolean =>
    name === 'commit.gpgsign' || scope === 'system' || scope === 'global';
  return entries.every(isTrusted) ? 'on' : 'foreign';
}

export function isTrue(value: string): boolean {
  return /^(?:true|yes|on|-?[1-9]\d*)$/i.test(value);
}

/**
 * Notes on commits under a ref of ours (docs/decisions/060-evidence-travels-with-the-commit.md), named in
 * every call so that the person's configuration doesn't count.
 */
export class Notes {
  readonly #cli: GitCli;
  readonly #commits: Commits;

  constructor(cli: GitCli, commits: Commits) {
    this.#cli = cli;
    this.#commits = commits;
  }

  async read(place: Place, ref: string, commit: string): Promise<string | undefined> {
    CommitSha.parse(commit);
    const { code, stdout } = await this.#cli.run(place, {
      args: ['notes', `--ref=${ours(ref)}`, 'list', commit],
      allow: [0, 1],
    });
    return code === 0 ? this.#text(place, stdout.trim()) : undefined;
  }

  async all(place: Place, ref: string): Promise<ReadonlyMap<string, string>> {
    const { stdout } = await this.#cli.run(place, { args: ['notes', `--ref=${ours(ref)}`, 'list'] });
    const notes = new Map<string, string>();
    for (const line of stdout.split('\n')) {
      const [blob, commit] = line.split(' ');
      if (blob && commit) notes.set(commit, await this.#text(place, blob));
    }
    return notes;
  }

  async write(place: Place, ref: string, commit: string, text: string): Promise<void> {
    if ((await this.read(place, ref, commit)) === text) return;
    const { stdout } = await this.#cli.run(place, {
      args: ['hash-object', '-w', '--stdin'],
      input: text,
      config: durable,
    });
    await this.#cli.run(place, {
      args: ['notes', `--ref=${ours(ref)}`, 'add', '--force', '-C', stdout.trim(), commit],
      env: await this.#commits.identity(place),
      config: durable,
    });
  }

  async #text(place: Place, blob: string): Promise<string> {
    return (await this.#cli.run(place, { args: ['cat-file', 'blob', blob] })).stdout;
  }
}

function ours(ref: string): string {
  if (/^refs\/notes\/beadsmith[\w/-]*$/.test(ref)) return ref;
  throw new BeadsmithError('OUTSIDE_WORKTREE', { path: ref });
}

/**
 * A commit of `start` with `paths` as in `from`, and whole-file `texts`. No ref, index or worktree changes;
 * the same work gives the same tree.
 */
export async function graft(
  { cli, commits }: { readonly cli: GitCli; readonly commits: Commits },
  place: Place,
  { start, from, paths, texts, folder }: GraftWork & { readonly folder: string },
): Promise<{ readonly commit: string; readonly tree: string }> {
  return withIndexIn(folder, async (index) => {
    const env = { GIT_INDEX_FILE: index };
    await cli.run(place, { args: ['read-tree', '--end-of-options', start], env });
    const form = ['-r', '-z', '--raw', '--no-renames', '--no-abbrev', '--end-of-options'];
    const raw = await cli.run(place, { args: ['diff-tree', ...form, start, from] });
    const wanted = new Set(paths);
    const entries = parseRaw(raw.stdout).filter(({ path }) => wanted.has(path));
    const lines = entries.map(({ mode, blob, path }) => `${mode} ${blob}\t${path}\0`);
    for (const [path, input] of Object.entries(texts)) {
      const args = ['hash-object', '-w', '--no-filters', '--stdin'];
      const { stdout } = await cli.run(place, { args, input });
      lines.push(`100644 ${stdout.trim()}\t${path}\0`);
    }
    if (lines.length > 0)
      await cli.run(place, { args: ['update-index', '-z', '--index-info'], input: lines.join(''), env });
    const tree = (await cli.run(place, { args: ['write-tree'], env })).stdout.trim();
    const message = 'Tests without the work that they are for';
    return { tree, commit: await commits.make(place, { tree, parents: [start], message, internal: true }) };
  });
}

/** Parses `git diff-tree -r -z --raw --no-renames`: the second tree's entries. A missing one has mode 0. */
function parseRaw(
  output: string,
): readonly { readonly mode: string; readonly blob: string; readonly path: string }[] {
  const fields = output.split('\0');
  return fields.flatMap((field, at) => {
    const [, mode = '', blob = ''] = /^:\d{6} (\d{6}) [0-9a-f]+ ([0-9a-f]+) [A-Z]\d*$/.exec(field) ?? [];
    return mode === '' ? [] : [{ mode: mode === '000000' ? '0' : mode, blob, path: fields[at + 1] ?? '' }];
  });
}

/**
 * A commit's tree with one file's text replaced, made without files and index: nothing there gets in. Throws
 * INVALID_INPUT if it is no regular file.
 */
export async function treeWithText(
  cli: GitCli,
  own: OwnWorktree,
  commit: string,
  file: { readonly path: string; readonly text: string },
): Promise<string> {
  const place = placeOf(own);
  const list = ['--literal-pathspecs', 'ls-tree', '-z', '--full-tree', '--end-of-options'];
  const listed = await cli.text(place, ...list, commit, '--', file.path);
  const mode = /^(100644|100755) blob [0-9a-f]+\t/.exec(listed)?.[1];
  if (mode === undefined) {
    const reason = `${file.path} is no file of the branch`;
    throw new BeadsmithError('INVALID_INPUT', { what: 'The suggested edit', reason });
  }
  return withIndexIn(own.gitDir, async (index) => {
    const env = { GIT_INDEX_FILE: index };
    // As `git add` would: line endings, and filters such as Git LFS.
    const args = ['hash-object', '-w', `--path=${file.path}`, '--stdin'];
    const blob = await cli.run(place, { args, input: file.text, config: durable });
    await cli.run(place, { args: ['read-tree', '--end-of-options', commit], env });
    const input = `${mode} ${blob.stdout.trim()}\t${file.path}\0`;
    await cli.run(place, { args: ['update-index', '-z', '--index-info'], input, env, config: durable });
    return (await cli.run(place, { args: ['write-tree'], env, config: durable })).stdout.trim();
  });
}
