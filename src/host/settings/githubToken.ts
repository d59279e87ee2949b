import { authentication } from 'vscode';

/**
 * A token of the editor's own GitHub account. The editor asks for the sign-in and keeps it; undefined if the
 * person doesn't sign in. `keepSecret` gets the token first (docs/decisions/202-the-forge.md).
 */
export async function githubToken(
  host: string,
  keepSecret: (secret: string) => void,
): Promise<string | undefined> {
  const provider = host === 'github.com' ? 'github' : 'github-enterprise';
  try {
    const { accessToken } = await authentication.getSession(provider, ['repo'], { createIfNone: true });
    keepSecret(accessToken);
    return accessToken;
  } catch {
    return undefined;
  }
}
