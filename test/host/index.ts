import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type HostResult, ordersVariable, Orders } from '../support/editor/hostOrders.ts';

/**
 * What the editor's extension host calls: runs one folder of tests with mocha, and writes each result as it
 * comes, so that a host that crashes still says how far it got. Rejects if a test failed.
 */
export async function run(): Promise<void> {
  // Not at the top: mocha is an ES module, and what an editor loads isn't.
  const { default: Mocha } = await import('mocha');
  const orders = Orders.parse(JSON.parse(readFileSync(process.env[ordersVariable] ?? '', 'utf8')));
  const folder = join(dirname(fileURLToPath(import.meta.url)), orders.tests);
  const write = (result: HostResult): void => appendFileSync(orders.report, `${JSON.stringify(result)}\n`);
  const mocha = new Mocha({ ui: 'bdd', timeout: 180_000, forbidOnly: true, reporter: Mocha.reporters.Base });
  for (const name of readdirSync(folder).sort())
    if (name.endsWith('.test.cjs')) mocha.addFile(join(folder, name));
  const failed = await new Promise<number>((resolve) => {
    const runner = mocha.run(resolve);
    runner.on('pass', (test) => write({ kind: 'passed', title: test.fullTitle(), ms: test.duration ?? 0 }));
    runner.on('pending', (test) => write({ kind: 'skipped', title: test.fullTitle() }));
    runner.on('fail', (test, error: unknown) =>
      write({ kind: 'failed', title: test.fullTitle(), error: stackOf(error) }),
    );
  });
  write({ kind: 'end' });
  if (failed > 0) throw new Error(`${String(failed)} failed`);
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
