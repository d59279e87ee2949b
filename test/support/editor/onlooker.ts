import { createServer } from 'node:http';
import * as z from 'zod';

export const ShownPage = z.object({ text: z.string(), typed: z.array(z.string()) });
export type ShownPage = z.infer<typeof ShownPage>;

/** What a process with the browser can do for tests inside an extension host, by the path of a request. */
export type Sights = Readonly<Record<string, () => Promise<unknown>>>;

interface Onlooker {
  readonly url: string;
  end(): Promise<void>;
}

/** As JSON. What fails is a status of 500 with its reason. */
export async function startOnlooker(sights: Sights): Promise<Onlooker> {
  const server = createServer((request, response) => {
    const sight = sights[(request.url ?? '').slice(1)];
    if (!sight) return void response.writeHead(404).end('there is no such sight');
    sight().then(
      (seen) =>
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(seen ?? null)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the onlooker has no address');
  return {
    url: `http://127.0.0.1:${String(address.port)}`,
    end: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
