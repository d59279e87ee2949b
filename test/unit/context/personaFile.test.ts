import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parsePersona, personaText } from '../../../src/context/personaFile.ts';
import { partiesOf, partyGroups, personasFor } from '../../../src/domain/personas/persona.ts';
import { completeSettings } from '../../../src/domain/settings/settings.ts';

const file = (more = '', body = 'Look for gaps.', id = 'eve') =>
  `---\nid: ${id}\nname: Eve\ntitle: Attacker\nfocus: what can be misused.\nstyle: dry.\n${more}---\n${body}\n`;
const problemOf = (id: string, text: string): string => {
  const read = parsePersona(id, text);
  return read.ok ? '' : read.problem;
};

describe('a persona’s file', () => {
  it('gives who speaks, and how', () => {
    const read = parsePersona(
      'eve',
      file('icon: 🕵️\nmodel: demo/second\npermission: { read: allow, edit: deny }\n'),
    );
    assert.ok(read.ok);
    assert.deepEqual(
      [read.persona.name, read.persona.model, read.persona.text],
      ['Eve', 'demo/second', 'Look for gaps.'],
    );
    assert.match(personaText([read.persona]), /^You are Eve, Attacker\. Your focus: what can be misused\./);
    assert.match(
      personaText([read.persona, { ...read.persona, name: 'Ann' }]),
      /Play all of these .*: Eve, Ann\./,
    );
  });

  it('is refused with the reason: a permission to change something, an unknown field, another id, no text, or too much of it', () => {
    for (const tool of ['edit', 'write', 'bash', 'webfetch', 'task', '*'])
      assert.match(
        problemOf('eve', file(`permission: { "${tool}": allow }\n`)),
        /it wants the permission/,
        tool,
      );
    assert.match(problemOf('eve', file('permission: { edit: ask }\n')), /edit: ask/);
    assert.match(problemOf('eve', file('permission: allow\n')), /permission/);
    assert.match(problemOf('eve', file('tools: all\n')), /tools/);
    assert.match(problemOf('adam', file()), /its id is "eve"/);
    assert.match(problemOf('Eve', file('', 'x', 'Eve')), /kebab-case/);
    assert.match(problemOf('eve', file('', '')), /says nothing/);
    assert.match(problemOf('eve', file('', 'x'.repeat(6_001))), /longer than 6000/);
    assert.match(problemOf('eve', file('', '# Beadsmith task: coding')), /heading/);
    assert.match(problemOf('eve', 'No front matter.'), /no front matter/);
    assert.match(problemOf('eve', '---\n[\n---\nx\n'), /expected|object/i);
  });

  it('never throws, and never gives what it allows, whatever is in it', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (more, body) => {
        const read = parsePersona('eve', file(`${more}\n`, body));
        if (read.ok) assert.ok(!('permission' in read.persona));
      }),
    );
  });
});

describe('the groups of parties', () => {
  const settings = completeSettings({ mainImplementer: 'demo/main', review: 'party', kickoff: true });

  it('are by kind, and the ticket’s own personas stand in for every one of them', () => {
    assert.deepEqual(personasFor(settings, 'review'), ['winston', 'murat', 'amelia']);
    assert.deepEqual(personasFor({ personas: ['mary', 'bob', 'mary'] }, 'kickoff'), ['mary', 'bob']);
    assert.ok(Object.values(partyGroups).every(({ length }) => length <= 4));
  });

  it('are those of what is turned on', () => {
    assert.deepEqual(partiesOf(settings), ['kickoff', 'review']);
    assert.deepEqual(
      partiesOf({ ...settings, review: 'standard', kickoff: false, failureAnalysis: 'auto' }),
      ['failure'],
    );
  });
});
