import assert from 'node:assert/strict';
import { Settings } from '../../../../src/domain/settings/settings.ts';
import { lacking, needOf, needsOf } from '../../../../src/domain/team/needs.ts';

describe('the needs of a ticket', () => {
  const settings = Settings.parse({
    depth: 'full',
    mainImplementer: 'anthropic/claude@high',
    councilMembers: ['openai/gpt', 'anthropic/other'],
    reviewer: 'google/gemini',
    review: 'standard',
  });

  it('are the providers of the models that it asks, and what its repository names', () => {
    const providers = ['provider:anthropic', 'provider:google', 'provider:openai'];
    assert.deepEqual(needsOf(settings, 'label:gpu sandbox'), ['label:gpu', ...providers, 'sandbox']);
    assert.deepEqual(needsOf({ ...settings, depth: 'quick', review: 'off' }, ''), ['provider:anthropic']);
    assert.deepEqual(needsOf(null, ''), [], 'not started');
  });

  it('are met by a runner that has them all', () => {
    const can = { system: 'linux', sandbox: 'yes', 'provider:openai': '3', 'label:gpu': 'yes' };
    assert.deepEqual(lacking(can, ['label:gpu', 'provider:openai', 'sandbox']), []);
    assert.deepEqual(lacking(can, ['provider:google', 'tool:go']), ['provider:google', 'tool:go']);
    assert.deepEqual(lacking({ ...can, sandbox: 'no: none' }, ['sandbox']), ['sandbox']);
  });

  it('may be tried by a runner that doesn’t know itself yet, except for labels', () => {
    assert.deepEqual(lacking({}, ['label:gpu', 'provider:openai', 'sandbox']), ['label:gpu']);
  });

  it('are written as labels, or as what runners find by themselves', () => {
    const written = ['gpu', 'sandbox', 'tool:docker', 'a b', ''].map((word) => needOf(word));
    assert.deepEqual(written, ['label:gpu', 'sandbox', 'tool:docker', undefined, undefined]);
  });
});
