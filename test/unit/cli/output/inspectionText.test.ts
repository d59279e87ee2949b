import assert from 'node:assert/strict';
import { callText } from '../../../../src/cli/output/inspectionText.ts';
import { inspectedCall as call, inspectedPart as part } from '../../../support/fakes/inspectedCall.ts';

describe('the parts of a prompt on the command line', () => {
  it('CP-M3: say which part stands one class later, and why', () => {
    const text = callText(call([part('bead_data'), part('host', { demoted: true })]));
    assert.match(text, /host +section +1\*/);
    assert.match(text, /bead_data +section +1 /);
    assert.match(text, /^\* Changes often, so it is moved one class later\.$/m);
    assert.doesNotMatch(callText(call([part('host')])), /\*/);
  });
});
