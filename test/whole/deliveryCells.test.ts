import { deliveryCells, deliveryPoints } from '../support/crash/deliveryCells.ts';

describe('a driver that ends while it delivers, or brings back', function () {
  this.timeout(900_000);
  deliveryCells(deliveryPoints, { isWhole: true });
});
