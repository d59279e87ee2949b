import { authentication, workspace } from 'vscode';

/** The person's Enterprise host, as they set it for the editor; a workspace's setting doesn't count. */
export function enterpriseHosts(): readonly string[] {
  const uri = workspace.getConfiguration('github-enterprise').inspect<unknown>('uri')?.globalValue;
  return typeof uri === 'string' && URL.canParse(uri) ? [new URL(uri).host] : [];
}

/**
 * A token of the editor's own GitHub account, for github.com or the Enterprise host of its settings. The
 * editor asks for the sign-in, unless `isQuiet`, and keeps it; undefined if the person doesn't sign in.
 * `keepSecret` gets the token first (docs/decisions/202-the-forge.md).
 */
export async function githubToken(
  host: string,
  keepSecret: (secret: string) => void,
  isQuiet = false,
): Promise<string | undefined> {
  const provider =
    host === 'github.com' ? 'github' : enterpriseHosts().includes(host) ? 'github-enterprise' : undefined;
  if (provider === undefined) return undefined;
  try {
    const asking = isQuiet ? { silent: true } : { createIfNone: true };
    const session = await authentication.getSession(provider, ['repo'], asking);
    if (!session) return undefined;
    keepSecret(session.accessToken);
    return session.accessToken;
  } catch {
    return undefined;
  }
}
