import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { yamlText } from '../../../../src/phases/shared/ticket/artifacts.ts';
import { moveTicket } from '../../../support/engine/moveTicket.ts';
import { tempStores } from '../../../support/engine/tempStore.ts';
import { createTicket } from '../../../support/storeContract/samples.ts';
import { report } from '../../../support/storeContract/summaries.ts';

describe('the summaries of tickets with files', () => {
  const makeStore = tempStores();
  // Above 64 KiB a text is a file, and the database only has its hash.
  const gaps = Array.from(
    { length: 2_000 },
    (_, index) => `The PRD says nothing about requirement ${String(index)}.`,
  );
  const passes = [{ pass: 1, status: 'gaps', gaps }];

  for (const [what, damage] of [
    ['is gone', (file: string) => rmSync(file)],
    ['was changed', (file: string) => writeFileSync(file, 'passes: []\nopen_gaps: []\n')],
  ] as const)
    it(`still list every ticket when the file of a report ${what}`, async () => {
      const { store, folder } = makeStore();
      await createTicket(store);
      await moveTicket(store, 'ABC-1', 'WAITING_PRD_APPROVAL');
      await createTicket(store);
      const text = yamlText({ passes, open_gaps: [] });
      await report(store, 'ABC-1', text);
      const digest = hash('sha256', text);
      damage(join(folder, 'blobs', digest.slice(0, 2), digest));
      const listed = await store.summaries();
      assert.deepEqual(
        listed.map(({ id, openGaps }) => [id, openGaps]),
        [
          ['ABC-1', true],
          ['ABC-2', false],
        ],
      );
    });
});
