import * as z from 'zod';

const Health = z.object({ healthy: z.literal(true), version: z.string() });

/**
 * The version that a server reports if the password is right; undefined otherwise. It is asked up to three
 * times: a server often gets the port of the previous one, and the first request may use a kept connection
 * that died with it.
 */
export async function healthOf(server: {
  readonly url: string;
  readonly password: string;
}): Promise<string | undefined> {
  for (let left = 3; left > 0; left -= 1) {
    try {
      const headers = { authorization: basicAuth(server.password) };
      const response = await fetch(`${server.url}/global/health`, {
        headers,
        signal: AbortSignal.timeout(5_000),
      });
      return response.ok ? Health.safeParse(await response.json()).data?.version : undefined;
    } catch {
      // No answer at all: asked again.
    }
  }
  return undefined;
}

/** The header that authenticates us. OpenCode's user name is always `opencode`. */
export function basicAuth(password: string): string {
  return `Basic ${Buffer.from(`opencode:${password}`).toString('base64')}`;
}
