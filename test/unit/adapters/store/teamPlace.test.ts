import assert from 'node:assert/strict';
import { teamPlace } from '../../../../src/adapters/store/postgres/teamPlace.ts';

const nameOf = (url: string): string => placeOf(url).name;
const placeOf = (url: string): ReturnType<typeof teamPlace> =>
  teamPlace(
    [
      { name: 'fork', url: 'https://example.com/ada/greeter' },
      { name: 'origin', url },
    ],
    '/home/ada/folder',
  );

describe('a repository in a team', () => {
  for (const [url, expected] of [
    ['https://ada:secret@example.com/acme/greeter.git', 'example.com/acme/greeter'],
    ['https://ada:se@cret@Example.com:443/Acme/Greeter.git/', 'example.com/acme/greeter'],
    ['git@example.com:acme/greeter.git', 'example.com/acme/greeter'],
    ['example.com:/acme/GREETER', 'example.com/acme/greeter'],
    ['ssh://git@example.com:2222/acme/greeter/', 'example.com/acme/greeter'],
    ['https://example.com/acme/greeter?token=secret', 'example.com/acme/greeter'],
    ['https://example.com/group/acme/greeter', 'example.com/group/acme/greeter'],
    ['https://www.github.com/acme/greeter', 'github.com/acme/greeter'],
    ['ssh://git@ssh.github.com:443/acme/greeter.git', 'github.com/acme/greeter'],
    ['https://example.org:8443/acme/greeter', 'example.org:8443/acme/greeter'],
    ['/srv/git/acme/greeter.git', '/srv/git/acme/greeter'],
    ['file:///srv/git/acme/greeter.git', '/srv/git/acme/greeter'],
    ['../greeter.git', '/home/ada/greeter'],
    ['C:\\git\\acme\\greeter.git', '/c:/git/acme/greeter'],
    ['https://secret@example.com', 'folder'],
  ] as const)
    it(`has one name for all its clones, and none of a login: ${url}`, () => {
      assert.equal(nameOf(url), expected);
    });

  it('isn’t another one of the same owner and name on another host, or on this machine', () => {
    const names = ['https://a.example/acme/x', 'https://b.example/acme/x', '/a.example/acme/x', 'acme/x'].map(
      nameOf,
    );
    assert.equal(new Set(names).size, 4);
  });

  it('is named after its folder where there is no origin', () => {
    assert.deepEqual(teamPlace([{ name: 'fork', url: 'https://example.com/a/b' }], '/home/ada/greeter'), {
      name: 'greeter',
      origin: '',
    });
  });

  for (const [url, origin] of [
    ['https://ada:secret@example.com/Acme/greeter.git?token=secret', 'https://example.com/Acme/greeter.git'],
    ['https://token@example.com/acme/greeter', 'https://example.com/acme/greeter'],
    ['ssh://git:secret@example.com:2222/acme/greeter', 'ssh://git@example.com:2222/acme/greeter'],
    ['git@example.com:acme/greeter.git', 'git@example.com:acme/greeter.git'],
    ['/srv/git/acme/greeter.git', '/srv/git/acme/greeter.git'],
  ] as const)
    it(`is cloned from its origin, without a password: ${url}`, () => {
      assert.equal(placeOf(url).origin, origin);
    });
});
