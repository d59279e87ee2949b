import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** One package, `left`, which says "left". It can go out of reach for good. */
export class LocalRegistry {
  readonly url: string;
  readonly requests: string[] = [];
  readonly #server: Server;
  readonly #tarball: Buffer;

  private constructor(server: Server, url: string, tarball: Buffer) {
    this.#server = server;
    this.url = url;
    this.#tarball = tarball;
  }

  /** `folder`: where the package is packed. */
  static async start(folder: string): Promise<LocalRegistry> {
    const source = join(folder, 'left', 'package');
    await mkdir(source, { recursive: true });
    await writeFile(
      join(source, 'package.json'),
      JSON.stringify({ name: 'left', version: '1.0.0', main: 'left.js' }),
    );
    await writeFile(join(source, 'left.js'), "module.exports = 'left';\n");
    // npm takes a hundred times as long, and would leave it in its cache.
    await promisify(execFile)('tar', ['-czf', join(folder, 'left-1.0.0.tgz'), 'package'], {
      cwd: join(folder, 'left'),
    });
    const tarball = await readFile(join(folder, 'left-1.0.0.tgz'));
    const server = createServer((request, response) => {
      registry.requests.push(request.url ?? '');
      if (request.url === '/left/-/left-1.0.0.tgz') response.end(tarball);
      else if (request.url === '/left')
        response.setHeader('content-type', 'application/json').end(JSON.stringify(registry.packument()));
      else response.writeHead(404).end('{}');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    const registry = new LocalRegistry(server, `http://127.0.0.1:${String(port)}`, tarball);
    return registry;
  }

  /** Locked to the package. */
  project(): Record<string, string> {
    const about = { name: 'sample', version: '1.0.0', dependencies: { left: '1.0.0' } };
    const left = {
      version: '1.0.0',
      resolved: `${this.url}/left/-/left-1.0.0.tgz`,
      integrity: this.#integrity(),
    };
    const lock = {
      name: 'sample',
      version: '1.0.0',
      lockfileVersion: 3,
      requires: true,
      packages: { '': about, 'node_modules/left': left },
    };
    return {
      'package.json': `${JSON.stringify(about, null, 2)}\n`,
      'package-lock.json': `${JSON.stringify(lock, null, 2)}\n`,
      '.npmrc': `registry=${this.url}/\nfetch-retries=0\nupdate-notifier=false\n`,
      '.gitignore': 'node_modules/\n',
    };
  }

  packument(): unknown {
    const dist = { tarball: `${this.url}/left/-/left-1.0.0.tgz`, integrity: this.#integrity() };
    return {
      name: 'left',
      'dist-tags': { latest: '1.0.0' },
      versions: { '1.0.0': { name: 'left', version: '1.0.0', main: 'left.js', dist } },
    };
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #integrity(): string {
    return `sha512-${createHash('sha512').update(this.#tarball).digest('base64')}`;
  }
}
