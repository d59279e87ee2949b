import assert from 'node:assert/strict';
import { BeadsmithError } from '../../../../src/domain/core/errors.ts';
import { serverUrl } from '../../../../src/host/settings/opencodeServer.ts';

describe('serverUrl', () => {
  it('is nothing when the setting is empty', () => {
    assert.equal(serverUrl(''), undefined);
    assert.equal(serverUrl(undefined), undefined);
  });

  for (const url of [
    'http://localhost:4096',
    'http://127.0.0.1:4096',
    'http://[::1]:4096',
    'https://opencode.example.com/base',
  ])
    it(`takes ${url}`, () => {
      assert.equal(serverUrl(url), url);
      assert.equal(serverUrl(`${url}/`), url);
    });

  for (const [url, why] of [
    ['http://opencode.example.com:4096', 'sends a password in the clear'],
    ['http://127.0.0.1.example.com', 'only looks like this machine'],
    ['https://opencode:secret@example.com', 'holds a password'],
    ['file:///etc/passwd', 'is no server'],
    ['localhost:4096', 'has no scheme'],
    [4096, 'is no text'],
  ] as const)
    it(`refuses ${String(url)}, which ${why}`, () => {
      assert.throws(
        () => serverUrl(url),
        (error) =>
          error instanceof BeadsmithError &&
          error.code === 'INVALID_INPUT' &&
          !error.message.includes('secret@'),
      );
    });
});
