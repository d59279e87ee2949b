import type { ModelScript } from '../../../src/demo/script/modelScript.ts';
import { postgresServer } from '../storeContract/postgresServer.ts';
import { TeamBench } from './teamBench.ts';

/**
 * Called inside `describe`: opens a bench for each test, on a server that it answers. A failure shows what
 * runners said. `script`: what the models say.
 */
export function benchForEach(
  use: (bench: TeamBench) => void,
  script?: ModelScript,
): ReturnType<typeof postgresServer> {
  const server = postgresServer();
  let bench: TeamBench | undefined;
  beforeEach(async () => {
    bench = await TeamBench.open(server.url, script);
    use(bench);
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') console.error(bench?.said());
    await bench?.close();
    bench = undefined;
  });
  return server;
}
