import assert from 'node:assert/strict';
import { TeamName } from '../../../../src/domain/team/keys.ts';
import { pairingCode, readPairingCode } from '../../../../src/adapters/store/postgres/teamKeys.ts';
import { readTeamSeal, sealText, teamSeal } from '../../../../src/domain/team/seal.ts';

describe('a team’s seal', () => {
  const key = 'a'.repeat(32);

  it('is read as it was written, and nothing else is read', () => {
    assert.deepEqual(readTeamSeal(teamSeal({ key, signature: 'Ab-_9' })), { key, signature: 'Ab-_9' });
    for (const text of [
      undefined,
      '',
      'secret user',
      `team:${key}:`,
      `team:${key}:a b`,
      `team:${key.toUpperCase()}:a`,
      `team:${key}:a\n`,
      `x team:${key}:a`,
      `team:${key}:${'a'.repeat(500)}`,
    ])
      assert.equal(readTeamSeal(text), undefined, String(text));
  });

  it('covers the repository, the entry, the ticket, the kind and the body, in any order of its fields', () => {
    const entry = { id: 'e', ticket: 'TST-1', kind: 'approve', body: { sha256: 'x', reason: '' } } as const;
    const text = sealText('acme/api', entry);
    assert.equal(sealText('acme/api', { ...entry, body: { reason: '', sha256: 'x' } }), text);
    const others = [
      sealText('acme/web', entry),
      sealText('acme/api', { ...entry, id: 'f' }),
      sealText('acme/api', { ...entry, ticket: 'TST-2' }),
      sealText('acme/api', { ...entry, kind: 'merge' }),
      sealText('acme/api', { ...entry, body: { ...entry.body, reason: 'x' } }),
    ];
    assert.equal(new Set([text, ...others]).size, 6);
  });
});

describe('a pairing code', () => {
  it('is typed with or without dashes, in small letters, and with letters that look like digits', () => {
    const code = pairingCode(new Uint8Array(16).fill(1));
    assert.equal(code, '1111-1111-1111-1111');
    for (const typed of [code, 'IiLl 1111-1111 1111', '1111111111111111'])
      assert.equal(readPairingCode(typed), '1'.repeat(16));
    for (const typed of ['', '1111', `${code}1`, 'U111-1111-1111-1111', '1'.repeat(10_000)])
      assert.equal(readPairingCode(typed), undefined);
  });

  it('has 80 bits, all letters as likely', () => {
    const all = Array.from({ length: 256 }, (_, byte) =>
      pairingCode(new Uint8Array(16).fill(byte)).charAt(0),
    );
    const counts = new Map<string, number>();
    for (const letter of all) counts.set(letter, (counts.get(letter) ?? 0) + 1);
    assert.deepEqual([counts.size, new Set(counts.values())], [32, new Set([8])]);
  });
});

it('names of people and devices are one line', () => {
  assert.equal(TeamName.parse('  Ada Lovelace '), 'Ada Lovelace');
  for (const name of ['', ' ', 'a\nb', 'a\u202eb', 'a\u0000', 'x'.repeat(101)])
    assert.ok(!TeamName.safeParse(name).success, JSON.stringify(name));
});
