import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { StandInCheck } from '../support/forge/checkEndpoints.ts';
import { talkOf } from '../support/forge/commentEndpoints.ts';
import type { StandInPull, StandInRepository } from '../support/forge/endpoints.ts';
import type { ForgeStandIn } from '../support/forge/forgeStandIn.ts';
import { git } from './facts.ts';

/** The file in which git keeps a person's login: the only one that may hold a token. */
export const loginFile = '.git-credentials';

/** A person with a home of their own, who is signed in at the stand-in: for git, and for the API. */
export class Person {
  readonly env: Readonly<Record<string, string>>;
  readonly #home: string;

  constructor(home: string, forge: ForgeStandIn) {
    this.#home = home;
    mkdirSync(home);
    writeFileSync(join(home, '.gitconfig'), '[credential]\n\thelper = store\n');
    const login = `http://${forge.user}:${forge.token}@${forge.host}\n`;
    writeFileSync(join(home, loginFile), login, { mode: 0o600 });
    this.env = {
      PATH: process.env['PATH'] ?? '',
      HOME: home,
      GH_HOST: forge.host,
      GH_ENTERPRISE_TOKEN: forge.token,
    };
  }

  /** `key`: a line for the file of trusted keys. */
  trusts(key: string): void {
    const own = join(this.#home, '.config', 'beadsmith');
    mkdirSync(own, { recursive: true });
    writeFileSync(join(own, 'trusted-keys'), `${key}\n`);
  }

  /** Doesn't block: the stand-in answers in this process. */
  async git(folder: string, ...args: readonly string[]): Promise<void> {
    await promisify(execFile)('git', ['-C', folder, ...args], { env: this.env });
  }
}

/** A check of the forge, of what was pushed: every option of the command line has to be in README.md. */
export class ReadmeCheck extends Map<string, readonly StandInCheck[]> {
  readonly #repository: () => StandInRepository;

  constructor(repository: () => StandInRepository) {
    super();
    this.#repository = repository;
  }

  /** Undefined for a commit at which it fails: those have the checks of the repository. */
  override get(commit: string): readonly StandInCheck[] | undefined {
    return this.missing(commit).length > 0
      ? undefined
      : [{ name: 'readme', status: 'completed', conclusion: 'success' }];
  }

  /** Options that README.md doesn't have. */
  missing(commit: string): readonly string[] {
    const { git: folder } = this.#repository();
    const usage = git(folder, 'grep', '-h', 'usage: ', commit, '--', 'src/cli.js');
    const readme = git(folder, 'show', `${commit}:README.md`);
    return (usage.match(/--\w+/g) ?? []).filter((option) => !readme.includes(option));
  }

  failed(commit: string): StandInCheck {
    const time = '2026-01-01T00:00:0';
    const log = [
      `${time}4.0000000Z ##[group]Run node checkReadme.js`,
      `${time}4.1000000Z ##[endgroup]`,
      ...this.missing(commit).map((option) => `${time}5.0000000Z README.md doesn't name ${option}.`),
      `${time}6.0000000Z ##[error]Process completed with exit code 1.`,
    ];
    return {
      name: 'readme',
      status: 'completed',
      conclusion: 'failure',
      steps: [{ name: 'Run node checkReadme.js', conclusion: 'failure', started_at: `${time}4Z` }],
      log: log.join('\n'),
    };
  }
}

/** Comments on a line that the pull request adds, as a member of the repository, and returns the ID. */
export function comment(
  { git: folder }: StandInRepository,
  pull: StandInPull,
  said: { readonly author: string; readonly path: string; readonly on: string; readonly text: string },
): number {
  const { lines } = talkOf(pull);
  const { author, path, on, text: body } = said;
  const head = `refs/heads/${pull.head.branch}`;
  const diff = git(folder, 'diff', `${pull.base}...${head}`, '--', path).split('\n');
  const at = diff.findIndex((line) => line.startsWith('+') && line.includes(on));
  const start = diff.findLastIndex((line, index) => index < at && line.startsWith('@@'));
  const hunk = diff.slice(start, at + 1);
  const first = Number(/\+(\d+)/.exec(hunk[0] ?? '')?.[1]);
  const line = first + hunk.slice(1).filter((one) => !one.startsWith('-')).length - 1;
  const id = 5_000_000_001 + lines.length;
  const place = { path, line, hunk: hunk.join('\n'), commit: git(folder, 'rev-parse', head) };
  lines.push({ id, author, association: 'MEMBER', body, ...place });
  return id;
}

/** Merges as the forge does for a person in the browser, and returns the merge. */
export function mergeThere({ git: folder }: StandInRepository, pull: StandInPull): string {
  const head = git(folder, 'rev-parse', `refs/heads/${pull.head.branch}`);
  const base = git(folder, 'rev-parse', pull.base);
  const who = ['-c', 'user.name=Mia', '-c', 'user.email=mia@example.com'];
  const parents = ['-p', base, '-p', head];
  const subject = `Merge pull request #${String(pull.number)}`;
  const mergeSha = git(folder, ...who, 'commit-tree', `${head}^{tree}`, ...parents, '-m', subject);
  git(folder, ...who, 'update-ref', '-m', `forge: ${subject}`, `refs/heads/${pull.base}`, mergeSha, base);
  Object.assign(pull, { sha: head, state: 'closed', mergedAt: '2026-01-01T00:00:00Z', mergeSha });
  return mergeSha;
}
