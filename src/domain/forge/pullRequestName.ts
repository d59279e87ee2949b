/** A pull request as a person names it. `repository`: its full name, in an address. */
export interface PullRequestName {
  readonly number: number;
  readonly repository?: string;
}

/** Reads a number (`7`, `#7`) or an address (`https://github.com/octo/sample/pull/7`); else undefined. */
export function pullRequestOf(text: string): PullRequestName | undefined {
  const [, plain] = /^#?(\d{1,9})$/.exec(text) ?? [];
  if (plain !== undefined) return numbered(Number(plain));
  if (!URL.canParse(text)) return undefined;
  const { protocol, host, pathname } = new URL(text);
  const [, owner, name, number] = /^\/([\w.-]+)\/([\w.-]+)\/pull\/(\d{1,9})(?:\/.*)?$/.exec(pathname) ?? [];
  if (!/^https?:$/.test(protocol) || owner === undefined || name === undefined) return undefined;
  const found = numbered(Number(number));
  return found && { ...found, repository: `${host}/${owner}/${name}`.toLowerCase() };
}

function numbered(number: number): PullRequestName | undefined {
  return number > 0 ? { number } : undefined;
}
