import { transportOf } from '../../support/models/transport.ts';

/** `test/integration/context/transport.test.ts` has a part of it. */
describe('the transport of stable parts', function () {
  this.timeout(600_000);
  transportOf({ 'two siblings': 2, 'five iterations': 5, 'three reviewers': 3 });
});
