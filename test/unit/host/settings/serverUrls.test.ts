import assert from 'node:assert/strict';
import { BeadsmithError } from '../../../../src/domain/core/errors.ts';
import {
  serverUrl,
  readTeamPassword,
  teamUrl,
  withPassword,
} from '../../../../src/host/settings/serverUrls.ts';

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

describe('the URL of a team’s database', () => {
  it('is nothing when the setting is empty', () => {
    assert.deepEqual([teamUrl(''), teamUrl(undefined)], [undefined, undefined]);
  });

  it('gets its password when it is used', () => {
    const url = teamUrl('postgres://ann@db.example.com:5433/beadsmith?sslmode=verify-full') ?? '';
    assert.equal(
      withPassword(url, 'a/b@c: %'),
      'postgres://ann:a%2Fb%40c%3A%20%25@db.example.com:5433/beadsmith?sslmode=verify-full',
    );
    assert.equal(withPassword(url, ''), url);
  });

  it('has a stored password of its own', () => {
    assert.deepEqual(readTeamPassword('{"url":"postgres://a/b","password":"x"}'), {
      url: 'postgres://a/b',
      password: 'x',
    });
    for (const text of [undefined, '', 'x', '{"password":"x"}'])
      assert.equal(readTeamPassword(text), undefined);
  });

  for (const [url, why] of [
    ['postgres://ann:secret@db.example.com/beadsmith', 'holds a password'],
    ['postgres://db.example.com/beadsmith?password=secret', 'holds one in a parameter'],
    ['https://db.example.com', 'is no database'],
    ['db.example.com', 'has no scheme'],
    [4096, 'is no text'],
  ] as const)
    it(`refuses ${String(url)}, which ${why}`, () => {
      assert.throws(
        () => teamUrl(url),
        (error) =>
          error instanceof BeadsmithError &&
          error.code === 'INVALID_INPUT' &&
          !error.message.includes('secret@'),
      );
    });
});
