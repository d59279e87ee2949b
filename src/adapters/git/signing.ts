import type { GitCli, Place } from './gitCli.ts';

/** Programs that git starts to sign, each with the one it takes if none is set. */
const programs: Readonly<Record<string, string>> = {
  'gpg.program': 'gpg',
  'gpg.openpgp.program': 'gpg',
  'gpg.x509.program': 'gpgsm',
  'gpg.ssh.program': 'ssh-keygen',
  // There is no default. This one fails.
  'gpg.ssh.defaultkeycommand': 'false',
};

interface Entry {
  readonly scope: string;
  readonly name: string;
  readonly value: string;
}

/**
 * How the person's git signs commits (docs/decisions/079-signed-commits.md). Whether, and with which key, is what git's configuration says in this
 * place; the program comes from the person's or the system's configuration only, because an agent can write that of the repository.
 */
export class Signing {
  readonly #cli: GitCli;

  constructor(cli: GitCli) {
    this.#cli = cli;
  }

  /** Settings for a call that signs; undefined if commits aren't signed here. */
  async settings(place: Place): Promise<readonly string[] | undefined> {
    const pattern = '^(commit\\.gpgsign|gpg\\.(.*\\.)?program|gpg\\.ssh\\.defaultkeycommand)$';
    const args = ['config', '--null', '--show-scope', '--get-regexp', pattern];
    const { stdout } = await this.#cli.run(place, { args, allow: [0, 1] });
    const entries = parseEntries(stdout);
    const wanted = entries.findLast(({ name }) => name === 'commit.gpgsign');
    if (!wanted || !isTrue(wanted.value)) return undefined;
    return Object.entries(programs).flatMap(([name, usual]) => {
      const found = entries.filter((entry) => entry.name === name);
      if (found.every(isTrusted)) return [];
      return [`${name}=${found.findLast(isTrusted)?.value ?? usual}`];
    });
  }
}

/** Parses `git config --null --show-scope --get-regexp`. */
function parseEntries(output: string): readonly Entry[] {
  const fields = output.split('\0');
  return fields.flatMap((scope, at) => {
    const [name = '', ...value] = (fields[at + 1] ?? '').split('\n');
    return at % 2 === 0 && name !== '' ? [{ scope, name, value: value.length === 0 ? 'true' : value.join('\n') }] : [];
  });
}

function isTrusted({ scope }: Entry): boolean {
  return scope === 'system' || scope === 'global';
}

/** As git reads a boolean. */
function isTrue(value: string): boolean {
  return /^(?:true|yes|on|-?[1-9]\d*)$/i.test(value);
}
