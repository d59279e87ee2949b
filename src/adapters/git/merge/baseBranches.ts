import { BeadsmithError } from '../../../domain/core/errors.ts';
import type { BaseBranch } from '../../../engine/ports/ports.ts';
import type { GitCli, Place } from '../cli/gitCli.ts';
import type { Revisions } from '../cli/revisions.ts';

/**
 * Branches that tickets can start from, as a person named them or as they are used by default
 * (docs/decisions/075-base-branch.md).
 */
export class BaseBranches {
  readonly #cli: GitCli;
  readonly #revisions: Revisions;

  constructor(cli: GitCli, revisions: Revisions) {
    this.#cli = cli;
    this.#revisions = revisions;
  }

  /** Local branches, by name. */
  async all(place: Place): Promise<readonly string[]> {
    const names = await this.#cli.text(place, 'for-each-ref', '--format=%(refname:lstrip=2)', 'refs/heads');
    return names.split('\n').filter((name) => name !== '');
  }

  /**
   * origin/HEAD's branch, else the current one; undefined on a detached HEAD, where any choice would be a
   * guess. Throws NO_COMMITS.
   */
  async usual(place: Place): Promise<string | undefined> {
    const originHead = 'refs/remotes/origin/HEAD';
    const format = '--format=%(HEAD)%(refname)%00%(symref)';
    const refs = (await this.#cli.text(place, 'for-each-ref', format, 'refs/heads', originHead))
      .split('\n')
      .flatMap((line) => {
        const [name = '', target = ''] = line.slice(1).split('\0');
        return name === '' ? [] : [{ name, target, current: line.startsWith('*') }];
      });
    const branches = refs.flatMap(({ name }) => (name.startsWith(heads) ? [name.slice(heads.length)] : []));
    if (branches.length === 0) throw new BeadsmithError('NO_COMMITS');
    const current = refs.find((ref) => ref.current)?.name.slice(heads.length) ?? (await this.#unborn(place));
    if (current === undefined) return undefined;
    const origin = refs
      .find(({ name }) => name === originHead)
      ?.target.replace(/^refs\/remotes\/origin\//, '');
    return [origin, current].find((name) => name !== undefined && branches.includes(name));
  }

  /** The branch that HEAD names although it isn't there yet. */
  async #unborn(place: Place): Promise<string | undefined> {
    const { stdout } = await this.#cli.run(place, {
      args: ['symbolic-ref', '--quiet', 'HEAD'],
      allow: [0, 1, 128],
    });
    return stdout.startsWith(heads) ? stdout.trim().slice(heads.length) : undefined;
  }

  /**
   * A branch by its name here, or as `origin/<name>`; a local one takes precedence. Undefined if there is
   * none.
   */
  async find(place: Place, name: string): Promise<BaseBranch | undefined> {
    if (!isPlainName(name)) return undefined;
    const local = await this.#revisions.find(place, `refs/heads/${name}`);
    const plain = name.replace(/^origin\//, '');
    const origin = await this.#revisions.find(
      place,
      `refs/remotes/origin/${local === undefined ? plain : name}`,
    );
    if (local === undefined && origin === undefined) return undefined;
    const branch = local === undefined ? plain : name;
    const own = local ?? (await this.#revisions.find(place, `refs/heads/${branch}`));
    const [ahead, behind] =
      own === undefined || origin === undefined ? [0, 0] : await this.#apart(place, own, origin);
    return {
      branch,
      commit: local ?? origin ?? '',
      side: local === undefined ? 'origin' : 'local',
      ahead,
      behind,
    };
  }

  async #apart(place: Place, local: string, origin: string): Promise<readonly [number, number]> {
    const counts = await this.#cli.text(place, 'rev-list', '--left-right', '--count', `${local}...${origin}`);
    const [ahead = 0, behind = 0] = counts.split('\t').map(Number);
    return [ahead, behind];
  }
}

const heads = 'refs/heads/';

/**
 * Checks whether a text is a branch's name rather than an expression that leads to a commit; `HEAD` names no
 * branch.
 */
function isPlainName(name: string): boolean {
  return !/[\s~^:?*[\\]|\.\.|@\{|^(?:origin\/)?HEAD$/.test(name);
}
