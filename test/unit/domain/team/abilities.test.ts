import assert from 'node:assert/strict';
import {
  Abilities,
  abilitiesOf,
  abilitiesText,
  forgeAbility,
  fullDisk,
} from '../../../../src/domain/team/abilities.ts';
import type { HostFacts } from '../../../../src/domain/environment/hostFacts.ts';

describe('the abilities of a runner', () => {
  const facts: HostFacts = {
    system: 'Linux x64',
    cores: 2,
    memoryGiB: 8,
    tools: [{ name: 'node', version: 'v24.1.0' }],
    missing: ['cargo'],
    containers: [],
  };

  it('are its system, sandbox, tools, and providers with a login', () => {
    const can = abilitiesOf({ facts, unsandboxed: undefined, models: ['openai/a', 'openai/b', 'local/c'] });
    assert.deepEqual(can, {
      system: 'Linux x64',
      sandbox: 'yes',
      'provider:openai': '2',
      'provider:local': '1',
      'tool:node': 'v24.1.0',
    });
    assert.equal(abilitiesText(can), 'Linux x64; sandbox: yes; providers: openai, local; tools: node');
    const signedIn = { [forgeAbility('github.com/acme/web')]: 'yes' };
    assert.equal(abilitiesText({ ...signedIn, ...fullDisk }), 'disk full; forges: github.com');
  });

  it('say why there is no sandbox', () => {
    const can = abilitiesOf({ facts: { ...facts, tools: [] }, unsandboxed: 'missing', models: [] });
    assert.deepEqual(can, { system: 'Linux x64', sandbox: 'no: missing' });
    assert.equal(abilitiesText({}), '');
  });

  it('stay small, whatever a machine tells', () => {
    const tools = Array.from({ length: 500 }, (_, at) => ({
      name: `${'n'.repeat(200)}${at}`,
      version: 'v'.repeat(900),
    }));
    const can = abilitiesOf({ facts: { ...facts, tools }, unsandboxed: undefined, models: [] });
    assert.ok(Abilities.safeParse(can).success);
    assert.ok(Object.keys(can).length <= 100);
  });
});
