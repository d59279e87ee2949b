import assert from 'node:assert/strict';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CompletedTicketsFile } from '../../../../src/adapters/system/completedTicketsFile.ts';
import type { CompletedTicket } from '../../../../src/domain/estimate/completedTicket.ts';
import { tempFolders } from '../../../support/git/tempRepository.ts';

const took = (calls: number): CompletedTicket => ({
  depth: 'solo',
  calls,
  tokens: 1_000,
  minutes: 2,
  money: null,
  review: null,
});

describe('what completed tickets took, of all repositories', () => {
  const makeFolder = tempFolders();
  let folder: string;
  let file: string;

  beforeEach(async () => {
    folder = join(await makeFolder(), 'config');
    file = join(folder, 'completed-tickets.jsonl');
  });

  const callsSeenFrom = async (commonDir: string): Promise<readonly number[]> =>
    (await new CompletedTicketsFile(folder, commonDir).elsewhere()).map(({ calls }) => calls);

  it('shows a repository those of the others, newest first, each ticket once', async () => {
    assert.deepEqual(await callsSeenFrom('/one/.git'), []);
    const [one, two] = [
      new CompletedTicketsFile(folder, '/one/.git'),
      new CompletedTicketsFile(folder, '/two/.git'),
    ];
    await one.add('ONE-1', took(1));
    await one.add('ONE-2', took(2));
    await two.add('ONE-1', took(3));
    await one.add('ONE-1', took(4));
    assert.deepEqual(await callsSeenFrom('/one/.git'), [3]);
    assert.deepEqual(await callsSeenFrom('/two/.git'), [4, 2]);
    assert.deepEqual(await callsSeenFrom('/three/.git'), [4, 3, 2]);
  });

  it('names no path', async () => {
    await new CompletedTicketsFile(folder, '/secret/customer/.git').add('ONE-1', took(1));
    assert.doesNotMatch(await readFile(file, 'utf8'), /secret|customer/);
  });

  it('reads past lines that are damaged or from another version', async () => {
    const one = new CompletedTicketsFile(folder, '/one/.git');
    await one.add('ONE-1', took(1));
    await appendFile(file, '{"repository":"x","ticket":"X-1","depth":"deep"}\n{"repos\n\n[]\n');
    await one.add('ONE-2', took(2));
    assert.deepEqual(await callsSeenFrom('/two/.git'), [2, 1]);
    await writeFile(file, Buffer.from([0, 255, 10]));
    assert.deepEqual(await callsSeenFrom('/two/.git'), []);
  });

  it('stays small, and keeps the newest', async () => {
    const one = new CompletedTicketsFile(folder, '/one/.git');
    await one.add('ONE-0', took(0));
    await appendFile(file, `${'x'.repeat(300)}\n`.repeat(400));
    await one.add('ONE-1', took(1));
    assert.ok((await readFile(file, 'utf8')).length < 70_000);
    assert.deepEqual(await callsSeenFrom('/two/.git'), [1]);
  });
});
