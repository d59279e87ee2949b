import assert from 'node:assert/strict';
import { portOf } from '../../../src/host/demo/driveDemo.ts';

describe('the scripted model of a demo', () => {
  it('has the same port for the same demo, another for another, outside of those that systems hand out', () => {
    const ids = [
      '0f6a1c1e-0000-4000-8000-000000000000',
      'ffffffff-0000-4000-8000-000000000000',
      '00000000-0000-4000-8000-000000000000',
    ];
    const ports = ids.map((id) => portOf({ id }));
    assert.deepEqual(
      ports,
      ids.map((id) => portOf({ id })),
    );
    assert.equal(new Set(ports).size, 3);
    for (const port of ports) assert.ok(port >= 20_000 && port < 32_000, String(port));
  });
});
