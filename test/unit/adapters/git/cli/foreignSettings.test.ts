import assert from 'node:assert/strict';
import {
  foreignSettings,
  type Setting,
  settingText,
} from '../../../../../src/adapters/git/settings/foreignSettings.ts';

describe('settings that lead a connection elsewhere', () => {
  const local = (name: string, value = 'x'): Setting => ({
    scope: 'local',
    origin: 'file:/repo/.git/config',
    name,
    value,
  });
  const own = (name: string, value = 'x'): Setting => ({
    scope: 'global',
    origin: 'file:/home/ada/.gitconfig',
    name,
    value,
  });
  const foreign = (...settings: readonly Setting[]): readonly string[] =>
    foreignSettings(settings, '/repo', ['/repo']).foreign.map(({ name, occasion }) => `${occasion} ${name}`);

  it('count if the repository has them, and not if the person has', () => {
    const names = [
      'http.proxy',
      'http.sslverify',
      'http.sslcainfo',
      'http.cookiefile',
      'http.extraheader',
      'http.https://github.com/.extraheader',
      'http.https://github.com/.sslverify',
      'http.curloptresolve',
      'remote.origin.proxy',
    ];
    assert.deepEqual(
      foreign(...names.map((name) => local(name))),
      names.map((name) => `server ${name}`),
    );
    assert.deepEqual(foreign(...names.map((name) => own(name))), []);
    const harmless = ['http.postbuffer', 'http.version', 'http.https://github.com/.lowspeedtime'];
    assert.deepEqual(foreign(...harmless.map((name) => local(name))), []);
  });

  it('are shown and trusted by a hash if they may hold a secret', () => {
    for (const [name, value] of [
      ['http.https://github.com/.extraheader', 'AUTHORIZATION: geheim'],
      ['http.proxy', 'http://ada:geheim@proxy.example'],
      ['remote.origin.proxy', 'ada:geheim@proxy.example:80'],
    ] as const) {
      const text = settingText({ name, value });
      assert.match(text, /^[^=]+=sha256:[0-9a-f]{64}$/);
      assert.deepEqual(foreign(local(name, value), own('beadsmith.trusted', text)), []);
      assert.equal(foreign(local(name, 'http://other@x'), own('beadsmith.trusted', text)).length, 1);
    }
    assert.equal(settingText({ name: 'http.proxy', value: 'http://a' }), 'http.proxy=http://a');
  });
});
