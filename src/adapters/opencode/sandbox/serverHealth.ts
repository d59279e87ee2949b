import * as z from 'zod';

const Health = z.object({ healthy: z.literal(true), version: z.string() });

/**
 * The server's version if the password is right. Asked up to three times: a kept connection to a previous
 * server on the port may die first.
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

export function basicAuth(password: string): string {
  return `Basic ${Buffer.from(`opencode:${password}`).toString('base64')}`;
}
