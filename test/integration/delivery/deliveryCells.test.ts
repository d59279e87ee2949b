import { deliveryCells } from '../../support/crash/deliveryCells.ts';

/** Most can go wrong here; `test/whole/deliveryCells.test.ts` has the other points. */
describe('a driver that ends while it delivers, or brings back', function () {
  this.timeout(120_000);
  deliveryCells(['between effect and receipt']);
});
