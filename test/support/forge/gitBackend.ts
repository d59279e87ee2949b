import { spawn } from 'node:child_process';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Answers a request of git with git's own `http-backend`, as a web server does (CGI). */
export function gitBackend(
  request: IncomingMessage,
  response: ServerResponse,
  options: { readonly root: string; readonly path: string; readonly query: string; readonly user: string },
): void {
  const backend = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env['PATH'] ?? '',
      GIT_PROJECT_ROOT: options.root,
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      PATH_INFO: options.path,
      QUERY_STRING: options.query,
      REQUEST_METHOD: request.method ?? 'GET',
      REMOTE_USER: options.user,
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      HTTP_GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  request.pipe(backend.stdin);
  backend.stdin.on('error', () => undefined);
  let head: Buffer | undefined = Buffer.alloc(0);
  backend.stdout.on('data', (chunk: Buffer) => {
    if (head === undefined) {
      response.write(chunk);
      return;
    }
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf('\r\n\r\n');
    if (end < 0) return;
    const lines = head.subarray(0, end).toString('latin1').split('\r\n');
    const fields = lines.map((line) => line.split(/: (.*)/s) as [string, string]);
    const status = fields.find(([name]) => name === 'Status')?.[1] ?? '200';
    const rest = head.subarray(end + 4);
    head = undefined;
    response.writeHead(
      Number.parseInt(status, 10),
      Object.fromEntries(fields.filter(([name]) => name !== 'Status')),
    );
    response.write(rest);
  });
  backend.on('close', () => {
    if (head !== undefined) response.writeHead(500);
    response.end();
  });
}
