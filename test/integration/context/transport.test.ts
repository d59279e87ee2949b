import { transportOf } from '../../support/models/transport.ts';

/** The fewest sessions that show it; `test/whole/context/transport.test.ts` has those that were measured. */
describe('the transport of stable parts', function () {
  this.timeout(600_000);
  transportOf({ 'three reviewers': 3 });
});
