import assert from 'node:assert/strict';
import { withoutMerges } from '../../../src/app/tickets/withoutMerges.ts';
import type { Git } from '../../../src/engine/ports/ports.ts';

describe('the git of a runner’s clone', () => {
  class Clone {
    readonly #head = 'a'.repeat(40);
    head(): Promise<string> {
      return Promise.resolve(this.#head);
    }
    merge(): never {
      return assert.fail('it merged');
    }
  }
  const git = withoutMerges(new Clone() as unknown as Git);

  it('refuses to merge, and says where to', async () => {
    const request = { base: 'main', commit: 'b'.repeat(40), message: 'Merge' };
    for (const merge of [() => git.proposeMerge(request), () => git.merge(request)])
      await assert.rejects(merge(), { code: 'MERGE_REFUSED', nextStep: /merge it on the forge/ });
  });

  it('does everything else', async () => {
    assert.equal(await git.head('/clone'), 'a'.repeat(40));
  });
});
