import assert from 'node:assert/strict';
import { type DocumentNow, DocumentStates } from '../../../../src/host/files/documentStates.ts';

const first: DocumentNow = { sha256: 'a', size: 10, changedAt: 1_000, readOnly: false };

describe('DocumentStates', () => {
  let states: DocumentStates;
  beforeEach(() => {
    states = new DocumentStates(() => 500);
    states.note('prd', first);
    states.wasRead('prd');
  });

  it('gives a text that differs a later time, whatever the clock says, and the same text the same', () => {
    assert.equal(states.mtime('prd'), 1_000);
    states.note('prd', { ...first, changedAt: 2_000 });
    assert.equal(states.mtime('prd'), 1_000);
    states.note('prd', { ...first, sha256: 'b' });
    assert.equal(states.mtime('prd'), 1_001);
  });

  it('tells the editor once of what is new, also when it looked itself in between', () => {
    assert.equal(states.tell('prd'), 'none');
    states.note('prd', { ...first, sha256: 'b' });
    states.note('prd', { ...first, sha256: 'b' });
    assert.equal(states.tell('prd'), 'changed');
    assert.equal(states.tell('prd'), 'none');
  });

  it('tells that a document may be edited now', () => {
    states.note('prd', { ...first, readOnly: true });
    assert.equal(states.tell('prd'), 'changed');
  });

  it('tells that a document is gone, and that it is there again', () => {
    states.note('prd', undefined);
    assert.equal(states.tell('prd'), 'deleted');
    states.note('prd', first);
    assert.equal(states.tell('prd'), 'created');
  });

  it('sees a version of the same size that the person did not, which the editor takes for the same', () => {
    states.note('prd', { ...first, sha256: 'b' });
    assert.ok(states.replacesUnseen('prd'));
    states.wasRead('prd');
    assert.ok(!states.replacesUnseen('prd'));
  });

  it('takes what was checked for seen only once the person’s own text is discarded', () => {
    states.note('prd', { ...first, sha256: 'b' });
    states.wasSeen('prd');
    assert.ok(states.replacesUnseen('prd'));
    states.wasTaken('prd');
    assert.ok(!states.replacesUnseen('prd'));
    states.note('prd', { ...first, sha256: 'c' });
    assert.ok(states.replacesUnseen('prd'));
  });

  it('leaves it to the editor to ask when sizes differ', () => {
    states.note('prd', { ...first, sha256: 'b', size: 11 });
    assert.ok(!states.replacesUnseen('prd'));
  });

  it('makes the editor read again what was stored in another form', () => {
    states.touch('prd');
    assert.equal(states.mtime('prd'), 1_001);
  });

  it('knows nothing of a document that was closed', () => {
    states.forget('prd');
    assert.equal(states.tell('prd'), 'none');
    assert.ok(!states.replacesUnseen('prd'));
  });
});
