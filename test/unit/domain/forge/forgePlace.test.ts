import assert from 'node:assert/strict';
import { choosePlace, type PlaceWish, type Remote } from '../../../../src/domain/forge/forgePlace.ts';

describe('the repository of a pull request', () => {
  const hosts = ['git.example.com', '127.0.0.1:8080', 'plain.example.com'];

  function apiOf(url: string): string {
    const found = choosePlace([{ name: 'origin', url }], hosts);
    if (found.kind !== 'place') return found.kind;
    const { api, owner, name } = found.place.base;
    return `${api} ${owner}/${name}`;
  }

  function remotesOf(remotes: readonly Remote[], wish: PlaceWish = {}): readonly string[] {
    const found = choosePlace(remotes, [], wish);
    return found.kind === 'doubt' ? found.places.map(({ base }) => base.remote) : [];
  }

  function placeOf(remotes: readonly Remote[], wish: PlaceWish = {}): readonly string[] | string {
    const found = choosePlace(remotes, [], wish);
    return found.kind === 'place' ? [found.place.base.remote, found.place.head.remote] : found.kind;
  }

  const fork = { name: 'origin', url: 'git@github.com:ada/sample.git' };
  const upstream = { name: 'upstream', url: 'https://github.com/octo/sample' };

  it('is read from every form of an address', () => {
    const github = 'https://api.github.com octo/sample';
    for (const url of [
      'https://github.com/octo/sample.git',
      'https://github.com/octo/sample',
      'https://ada:secret@github.com/octo/sample.git/',
      'HTTPS://GitHub.com/octo/sample',
      'https://x-token.1~a:s%40c_r.e~t+=-@github.com/octo/sample',
      'https://ada@github.com/octo/sample',
      'git@github.com:octo/sample.git',
      'ssh://git@github.com/octo/sample.git',
      'ssh://git@ssh.github.com:443/octo/sample.git',
      'git+ssh://git@GITHUB.com/octo/sample',
    ])
      assert.equal(apiOf(url), github, url);
    assert.equal(apiOf('git@acme.ghe.com:octo/sample.git'), 'https://api.acme.ghe.com octo/sample');
    assert.equal(apiOf('git@git.example.com:octo/sample'), 'https://git.example.com/api/v3 octo/sample');
    assert.equal(apiOf('http://127.0.0.1:8080/octo/sample'), 'http://127.0.0.1:8080/api/v3 octo/sample');
  });

  it('is never on a host that the person did not name, nor reached in the clear', () => {
    for (const url of [
      'https://evil.example/octo/sample',
      'https://github.com.evil.example/octo/sample',
      'https://github.com@evil.example/octo/sample',
      'git@evil.example:github.com/octo/sample',
      'http://plain.example.com/octo/sample',
      'https://evil.example#github.com/octo/sample',
      'https://github.com\\evil.example/octo/sample',
      '/srv/github.com/octo/sample',
      'file:///octo/sample',
      'ext::sh -c octo/sample',
      'https://github.com/octo',
      'https://github.com/octo/../sample',
      'https://github.com/octo/sample\n',
      'https://github.com/octo/sample/more',
      // git's own reading of these ends the host earlier, or decodes what stands before the "@".
      'https://evil.example?@github.com/octo/sample',
      'https://evil.example#@github.com/octo/sample',
      'https://evil.example\\@github.com/octo/sample',
      'https://evil.example;@github.com/octo/sample',
      'https://ada:x@evil.example?@github.com/octo/sample',
      'http://evil.example?@127.0.0.1:8080/octo/sample',
      'https://evil.example%2F@github.com/octo/sample',
      'ssh://evil.example%2F@github.com/octo/sample',
      'ssh://evil.example%3A22%2F@github.com/octo/sample',
      'ssh://evil.example?@github.com/octo/sample',
      'ssh://evil.example:22@github.com/octo/sample',
      'ssh://evil.example\\@github.com/octo/sample',
      'git+ssh://evil.example%2F@github.com/octo/sample',
      'ssh://-oProxyCommand=x@github.com/octo/sample',
      '-oProxyCommand@github.com:octo/sample',
      'evil.example%2F@github.com:octo/sample',
      'evil.example:x@github.com:octo/sample',
      'https://github.com\t/octo/sample',
      'https://evil.example\0@github.com/octo/sample',
      'https://github.com./octo/sample',
      'https://github.com:8443/octo/sample',
      'https://github.com%2Fevil.example/octo/sample',
      'https://g\u0131thub.com/octo/sample',
      'git@git.example.com\\evil.example:octo/sample',
    ])
      assert.equal(apiOf(url), 'none', url);
  });

  it('is asked for where there is a doubt', () => {
    assert.deepEqual(remotesOf([fork, upstream]), ['origin', 'upstream']);
    const places = [
      placeOf([fork, upstream], { remote: 'upstream' }),
      placeOf([fork, { ...upstream, isBase: true }]),
      placeOf([fork, { ...upstream, isBase: true }], { remote: 'origin' }),
      placeOf([fork, { name: 'same', url: 'https://github.com/Ada/Sample' }]),
      placeOf([upstream]),
    ];
    assert.deepEqual(places, [
      ['upstream', 'origin'],
      ['upstream', 'origin'],
      ['origin', 'origin'],
      ['origin', 'origin'],
      ['upstream', 'upstream'],
    ]);
    assert.deepEqual(remotesOf([fork, upstream], { remote: 'gone' }), ['origin', 'upstream']);
  });

  it('stays the one of the ticket’s pull request, whatever the remote is called by now', () => {
    const wish = { repository: 'github.com/octo/sample' };
    assert.deepEqual(placeOf([fork, { ...upstream, name: 'theirs' }], wish), ['theirs', 'origin']);
    assert.deepEqual(placeOf([{ ...fork, isBase: true }, upstream], wish), ['upstream', 'origin']);
    assert.deepEqual(remotesOf([fork, upstream], { repository: 'github.com/octo/gone' }), [
      'origin',
      'upstream',
    ]);
  });

  it('gets its branch from the remote that remote.pushDefault names', () => {
    const team = { name: 'origin', url: 'https://github.com/octo/sample' };
    const mine = { name: 'mine', url: 'git@github.com:ada/sample', isPushDefault: true };
    assert.deepEqual(placeOf([mine, { ...team, isBase: true }]), ['origin', 'mine']);
    assert.deepEqual(placeOf([mine, team], { remote: 'origin' }), ['origin', 'mine']);
    assert.deepEqual(placeOf([mine, team], { remote: 'mine' }), ['mine', 'mine']);
    assert.deepEqual(remotesOf([mine, team]), ['mine', 'origin']);
    const away = { ...mine, url: '/srv/sample' };
    assert.deepEqual(placeOf([away, team]), ['origin', 'origin']);
  });

  it('is never one of a remote that pushes to other addresses, too', () => {
    const many = { ...fork, hasMore: true };
    assert.deepEqual(choosePlace([many], []), { kind: 'none', several: 'origin' });
    assert.deepEqual(placeOf([many, upstream]), ['upstream', 'upstream']);
    assert.equal(placeOf([many, upstream], { remote: 'origin' }), 'doubt');
  });
});
