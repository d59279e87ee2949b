import type { GitCli, Place } from '../cli/gitCli.ts';
import type { Setting } from '../settings/foreignSettings.ts';

/**
 * `foreign`: the repository's own configuration names the program that signs, and such a program isn't
 * started.
 */
export type Signing = 'on' | 'off' | 'foreign';

/**
 * An entry of git's configuration, and where it was set: `system`, `global`, `local`, `worktree` or
 * `command`.
 */
export interface Entry {
  readonly scope: string;
  readonly name: string;
  readonly value: string;
}

const signs = /^(?:commit\.gpgsign|gpg\.(?:.*\.)?program|gpg\.ssh\.defaultkeycommand)$/;

/**
 * Returns how the person's git signs commits in a place, if at all (docs/decisions/079-signed-commits.md).
 * The program that signs has to come from the person's or the system's configuration: an agent can write that
 * of the repository.
 */
export async function signingIn(cli: GitCli, place: Place): Promise<Signing> {
  const entries = (await cli.settings(place)).filter(({ name }) => signs.test(name));
  const wanted = entries.findLast(({ name }) => name === 'commit.gpgsign');
  if (!wanted || !isTrue(wanted.value)) return 'off';
  const isTrusted = ({ name, scope }: Setting): boolean =>
    name === 'commit.gpgsign' || scope === 'system' || scope === 'global';
  return entries.every(isTrusted) ? 'on' : 'foreign';
}

/** Parses `git config --null --show-scope --get-regexp`. A name without a value is true. */
export function parseEntries(output: string): readonly Entry[] {
  const fields = output.split('\0');
  return fields.flatMap((scope, at) => {
    const [name = '', ...value] = (fields[at + 1] ?? '').split('\n');
    return at % 2 === 0 && name !== ''
      ? [{ scope, name, value: value.length === 0 ? 'true' : value.join('\n') }]
      : [];
  });
}

/** As git reads a boolean. */
export function isTrue(value: string): boolean {
  return /^(?:true|yes|on|-?[1-9]\d*)$/i.test(value);
}
