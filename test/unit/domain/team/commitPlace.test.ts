import assert from 'node:assert/strict';
import { commitPlaceOf } from '../../../../src/domain/team/commitPlace.ts';

describe('the address of a repository for the commits of tickets', () => {
  it('is one of HTTPS, SSH or an absolute path', () => {
    for (const address of [
      'https://git.example.com/team/tickets.git',
      'https://git.example.com:8443/tickets',
      'ssh://git@git.example.com:2222/team/tickets.git',
      'ssh://git.example.com/tickets',
      'ssh://git@[::1]:22/tickets',
      'git@git.example.com:team/tickets.git',
      '/srv/git/tickets of acme.git',
      'file:///srv/git/tickets.git',
      'C:\\git\\tickets.git',
      'd:/git/tickets.git',
    ])
      assert.equal(commitPlaceOf(address), address);
  });

  it('is neither an option nor a program, holds no login, and means the same on each machine', () => {
    for (const address of [
      '',
      '--upload-pack=touch /tmp/x',
      '-/srv/git/tickets.git',
      'ext::sh -c whoami',
      'fd::17',
      'git@ext::sh',
      'ssh://-oProxyCommand=whoami/tickets',
      'ssh://-oProxyCommand=whoami@example.com/tickets',
      '-oProxyCommand=whoami@example.com:tickets',
      'git@-oProxyCommand=whoami:tickets',
      'git@example.com:--tickets',
      'https://ann:secret@example.com/tickets.git',
      'https://token@example.com/tickets.git',
      'https://example.com/tickets.git?token=secret',
      'ssh://git:secret@example.com/tickets.git',
      'http://example.com/tickets.git',
      'git://example.com/tickets.git',
      'tickets.git',
      '../tickets.git',
      'origin',
      '/srv/git/tickets.git\n',
      '/srv/git/tickets.git\u001b[2J',
      `/${'a'.repeat(2_000)}`,
    ])
      assert.equal(commitPlaceOf(address), undefined, JSON.stringify(address));
  });
});
