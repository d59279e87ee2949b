import assert from 'node:assert/strict';
import { sha256 } from '../../../../src/base/sha256.ts';
import { planHash } from '../../../../src/domain/beads/beadPlan.ts';
import { approvalHash } from '../../../../src/domain/documents/workDocuments.ts';
import { shownHash } from '../../../../webview-ui/served/checkedDocuments.ts';
import { hashOf, placeOf } from '../../../../webview-ui/served/place.ts';
import { bead } from '../../../support/storeContract/samples.ts';

describe('what a browser approves', () => {
  const content = 'title: Greet\n';
  const prd = { artifact: 'prd' as const, sha256: sha256(content), content };

  it('is exactly what it shows', () => {
    assert.equal(shownHash({ documents: [prd], sha256: prd.sha256 }), prd.sha256);
    const beads = [bead('one'), bead('two')];
    const plan = { artifact: 'beads' as const, sha256: planHash(beads), content: JSON.stringify(beads) };
    const both = approvalHash([prd.sha256, plan.sha256]);
    assert.equal(shownHash({ documents: [prd, plan], sha256: both }), both);
  });

  it('is nothing where a server shows one text and names the hash of another', () => {
    const shown = { ...prd, content: 'title: Delete everything\n' };
    assert.equal(shownHash({ documents: [shown], sha256: prd.sha256 }), undefined);
    assert.equal(shownHash({ documents: [{ ...prd, artifact: 'beads' }], sha256: prd.sha256 }), undefined);
    assert.equal(shownHash({ documents: [], sha256: prd.sha256 }), undefined);
  });
});

describe('the address of a view', () => {
  it('leads back to it, and odd ones lead to the tickets', () => {
    const place = { view: 'ticket', repository: 'acme/a b/#', ticket: 'GRT-1' } as const;
    for (const one of [place, { view: 'tickets' }, { view: 'devices' }] as const)
      assert.deepEqual(placeOf(hashOf(one)), one);
    for (const odd of ['#%E0%A4%A/x', '#only', '#/']) assert.deepEqual(placeOf(odd), { view: 'tickets' });
  });
});
