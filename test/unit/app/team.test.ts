import assert from 'node:assert/strict';
import { teamName } from '../../../src/app/team.ts';

describe('a repository’s name in a team', () => {
  for (const [url, expected] of [
    ['https://ada:secret@example.com/acme/greeter.git', 'acme/greeter'],
    ['git@example.com:acme/greeter.git', 'acme/greeter'],
    ['ssh://git@example.com:2222/acme/greeter/', 'acme/greeter'],
    ['https://example.com/group/acme/greeter?token=secret', 'acme/greeter'],
    ['/srv/git/acme/greeter.git', 'acme/greeter'],
    ['C:\\git\\acme\\greeter.git', 'acme/greeter'],
    ['https://secret@example.com', 'folder'],
  ] as const)
    it(`is the same for all clones: ${url}`, () => {
      const remotes = [
        { name: 'fork', url: 'https://example.com/ada/greeter' },
        { name: 'origin', url },
      ];
      assert.equal(teamName(remotes, '/home/ada/folder'), expected);
    });

  it('is the folder’s where there is no origin', () => {
    assert.equal(
      teamName([{ name: 'fork', url: 'https://example.com/a/b' }], '/home/ada/greeter'),
      'greeter',
    );
  });
});
