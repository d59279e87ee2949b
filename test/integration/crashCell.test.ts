import { crashCells } from '../support/crash/crashCells.ts';

/** Most can go wrong here; `test/whole/crashCells.test.ts` has the other points. */
describe('a driver that is killed in the middle of its work', function () {
  this.timeout(900_000);
  crashCells(['in the middle']);
});
