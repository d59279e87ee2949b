import { BeadsmithError } from '../../../domain/core/errors.ts';
import { CommitSha } from '../../../domain/core/ids.ts';
import type { Remote } from '../../../domain/forge/forgePlace.ts';
import type { Git } from '../../../engine/ports/gitPort.ts';
import type { GitCli, Place } from './gitCli.ts';

/** A push of a ticket's branch. */
export type PushRequest = Parameters<Git['push']>[0];

/** Remotes, reached as the person's git reaches them (docs/decisions/202-the-forge.md). */
export class Remotes {
  readonly #cli: GitCli;

  constructor(cli: GitCli) {
    this.#cli = cli;
  }

  async all(place: Place): Promise<readonly Remote[]> {
    const lines = (await this.#cli.text(place, 'remote', '--verbose')).split('\n');
    const settings = await this.#cli.settings(place);
    const found = lines.flatMap((line): Remote[] => {
      const { name = '', url = '' } = /^(?<name>[^\t]+)\t(?<url>.+) \(push\)$/.exec(line)?.groups ?? {};
      if (!isRemote(name)) return [];
      // gh keeps there which remote a person chose.
      const isBase = settings.some(
        (one) => one.name === `remote.${name}.gh-resolved` && one.value === 'base',
      );
      return [{ name, url, ...(isBase ? { isBase } : {}) }];
    });
    // A remote with several addresses pushes to all of them; the first one counts.
    return found.filter(({ name }, at) => found.findIndex((one) => one.name === name) === at);
  }

  async tip(place: Place, remote: string, branch: string): Promise<string | undefined> {
    const ref = `refs/heads/${checked(remote, branch)}`;
    const { stdout } = await this.#asked(place, { remote, branch }, ['ls-remote', '--', remote, ref]);
    const line = stdout.split('\n').find((one) => one.endsWith(`\t${ref}`));
    return line === undefined ? undefined : CommitSha.parse(line.split('\t')[0]);
  }

  async push(place: Place, { remote, branch, commit, expected }: PushRequest): Promise<void> {
    const ref = `refs/heads/${checked(remote, branch)}`;
    const lease = `--force-with-lease=${ref}:${expected === undefined ? '' : CommitSha.parse(expected)}`;
    const refspec = `${CommitSha.parse(commit)}:${ref}`;
    const args = ['push', '--porcelain', '--no-verify', '--no-follow-tags', lease, '--', remote, refspec];
    const { code, stdout, stderr } = await this.#asked(place, { remote, branch }, args);
    if (code === 0) return;
    const refused = /^!\t[^\t]*\t(?<why>.*)$/m.exec(stdout)?.groups?.['why'] ?? '';
    const isStale = refused.includes('stale info');
    const said = stderr.split('\n').flatMap((line) => (line.startsWith('remote: ') ? [line.slice(8)] : []));
    throw new BeadsmithError('PUSH_REFUSED', {
      branch,
      remote,
      reason: isStale
        ? 'someone else pushed to it.'
        : [refused, ...said].join('\n').trim().slice(0, 2_000) || lastLine(stderr),
      remedy: isStale ? 'Compare both branches, then try again.' : 'Fix the cause, then try again.',
    });
  }

  /** A remote that doesn't answer is told from one that refuses. */
  async #asked(
    place: Place,
    { remote, branch }: Pick<PushRequest, 'remote' | 'branch'>,
    args: readonly string[],
  ): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> {
    const output = await this.#cli.run(place, { args, allow: [0, 1, 128] });
    if (output.code !== 128) return output;
    const reason = lastLine(output.stderr).replace(/^fatal: /, '');
    if (!login.test(output.stderr)) throw new BeadsmithError('FORGE_UNREACHABLE', { host: remote, reason });
    const remedy = `Check whether "git push --dry-run ${remote} ${branch}" works in a terminal.`;
    throw new BeadsmithError('PUSH_REFUSED', { branch, remote, reason, remedy });
  }
}

const login =
  /Authentication failed|could not read (?:Username|Password)|Permission denied|Host key verification failed|error: 40[13]/;

function lastLine(text: string): string {
  return (text.trim().split('\n').at(-1) ?? '').slice(0, 500);
}

function isRemote(name: string): boolean {
  return /^[\w][\w./-]{0,200}$/.test(name);
}

/** Only branches of tickets are pushed, never a base. */
function checked(remote: string, branch: string): string {
  if (!isRemote(remote)) throw new BeadsmithError('INVALID_INPUT', { what: 'The remote', reason: remote });
  if (!/^ticket\/[\w.-]+$/.test(branch)) throw new BeadsmithError('OUTSIDE_WORKTREE', { path: branch });
  return branch;
}
