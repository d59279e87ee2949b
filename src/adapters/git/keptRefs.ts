import type { GitCli, Place } from './cli/gitCli.ts';

/** A ref below `refs/beadsmith/`. `at`: its commit's time, in milliseconds since 1970. */
export interface KeptRef {
  readonly name: string;
  readonly commit: string;
  readonly at: number;
}

const parent = 'refs/beadsmith/';
/** Limit of a command line on every system. */
const mostMeasured = 500;

export class KeptRefs {
  readonly #cli: GitCli;
  readonly #place: Place;

  constructor(cli: GitCli, root: string) {
    this.#cli = cli;
    this.#place = { cwd: root };
  }

  async all(): Promise<readonly KeptRef[]> {
    const format = '--format=%(objectname) %(creatordate:unix) %(refname)';
    const lines = await this.#cli.text(this.#place, 'for-each-ref', format, parent);
    return [...lines.matchAll(/^(\S+) (\d*) refs\/beadsmith\/(.+)$/gm)].map(
      ([, commit = '', at, name = '']) => ({ name, commit, at: 1_000 * Number(at) }),
    );
  }

  async bytesOf(refs: readonly KeptRef[]): Promise<number> {
    const commits = refs.slice(0, mostMeasured).map(({ commit }) => commit);
    const elsewhere = ['--not', '--branches', '--remotes', '--tags'];
    const args = ['rev-list', '--objects', '--disk-usage', ...commits, ...elsewhere];
    const { code, stdout } = await this.#cli.run(this.#place, { args, allow: [0, 128] });
    return code === 0 ? Number(stdout.trim()) : 0;
  }

  async remove(refs: readonly KeptRef[]): Promise<void> {
    const input = refs.map(({ name, commit }) => `delete ${parent}${name} ${commit}\n`).join('');
    if (input !== '') await this.#cli.run(this.#place, { args: ['update-ref', '--stdin'], input });
  }
}
