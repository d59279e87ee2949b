import { transportOf } from '../../support/models/transport.ts';

/** `test/whole/context/transport.test.ts` has what was measured. */
describe('the transport of stable parts', function () {
  this.timeout(600_000);
  transportOf({ 'three reviewers': 3 });
});
