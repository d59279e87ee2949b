import assert from 'node:assert/strict';
import { commandFailure, failureText, notDone } from '../../../../src/domain/beads/failure.ts';
import { describeRefused, refusedHosts } from '../../../../src/domain/environment/refusedNetwork.ts';
import { describeEvidence } from '../../../../src/phases/shared/worktree/commands.ts';
import { printed } from '../../../support/printed.ts';

const outputs: readonly (readonly [says: string, hosts: readonly string[] | undefined])[] = [
  ['Error: connect ECONNREFUSED 127.0.0.1:5432\n    at TCPConnectWrap.afterConnect', ['localhost:5432']],
  ['Error: connect ECONNREFUSED ::1:6379', ['localhost:6379']],
  ['Error: getaddrinfo ENOTFOUND api.example.com', ['api.example.com']],
  ['getaddrinfo EAI_AGAIN db', ['db']],
  [
    "fatal: unable to access 'https://example.com/a.git/': Could not resolve host: example.com",
    ['example.com'],
  ],
  ['curl: (6) Could not resolve host: example.com', ['example.com']],
  ['curl: (7) Failed to connect to localhost port 8080 after 0 ms: Connection refused', ['localhost:8080']],
  ['dial tcp 127.0.0.1:5432: connect: connection refused', ['localhost:5432']],
  ['dial tcp: lookup proxy.golang.org: Temporary failure in name resolution', ['proxy.golang.org']],
  [
    'dial tcp: lookup proxy.golang.org on 127.0.0.53:53: dial udp 127.0.0.53:53: connect: network is unreachable',
    ['127.0.0.53:53'],
  ],
  [
    'psycopg2.OperationalError: connection to server at "localhost" (127.0.0.1), port 5432 failed: Connection refused\n\tIs the server running',
    ['localhost:5432'],
  ],
  [
    "HTTPConnectionPool(host='localhost', port=9200): Max retries exceeded (Caused by: [Errno 111] Connection refused)",
    ['localhost:9200'],
  ],
  [
    'redis.exceptions.ConnectionError: Error 111 connecting to localhost:6379. Connection refused.',
    ['localhost:6379'],
  ],
  ['ConnectionRefusedError: [Errno 111] Connection refused', []],
  ['socket.gaierror: [Errno -3] Temporary failure in name resolution', []],
  ['connect: Network is unreachable', []],
  ['3 passing\nthe offer was refused', undefined],
  ['could not resolve the conflict', undefined],
];

describe('hosts that were not reached', () => {
  for (const [output, hosts] of outputs)
    it(`are read from ${output.slice(0, 60)}`, () => {
      assert.deepEqual(refusedHosts(`before\n${output}\nafter`), hosts);
    });

  it('are named in the failure of a command and in what its agent gets, with a way on', () => {
    const evidence = printed('red\n', { exitCode: 1, unreachable: ['localhost:5432'] });
    const { reason, advice } = failureText(commandFailure(evidence));
    assert.equal(reason, '`npm test` failed with exit code 1. No network here: `localhost:5432` refused.');
    assert.match(advice, /services.*beadsmith\.sandboxHosts/);
    assert.match(
      describeEvidence(evidence),
      /No network here: `localhost:5432` refused\..*`services`.*beadsmith\.sandboxHosts[\s\S]*red$/,
    );
    assert.match(describeRefused([]), /^No network here\. /);
  });

  it('are named where an agent says that it is not done because of them, but only where there is no network', () => {
    const claim = 'The marker says status "blocked". Reason given: connect ECONNREFUSED 127.0.0.1:5432';
    assert.equal(
      failureText(notDone(claim, { isOffline: true })).reason,
      'The agent reported that the work is not done. No network here: `localhost:5432` refused.',
    );
    assert.equal(notDone(claim, { isOffline: false }).cause, 'not_done');
    assert.equal(notDone('The marker says status "blocked".', { isOffline: true }).cause, 'not_done');
  });
});
