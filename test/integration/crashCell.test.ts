import { crashCells } from '../support/crash/crashCells.ts';

/** The point at which most can go wrong; `test/whole/crashCells.test.ts` has the others. */
describe('a driver that is killed in the middle of its work', function () {
  this.timeout(900_000);
  crashCells(['in the middle']);
});
