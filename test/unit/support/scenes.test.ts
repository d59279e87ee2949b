import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolders } from '../../support/git/tempRepository.ts';
import { Place } from '../../support/scenes/places.ts';
import {
  earlier,
  nameOf,
  placeOf,
  type PreparedTicket,
  type Scene,
} from '../../support/scenes/preparedTicket.ts';
import { SceneStore } from '../../support/scenes/sceneStore.ts';

const ticket = (at: PreparedTicket['at']): PreparedTicket => ({ title: 'Greet by name', at });
const scene = (at: PreparedTicket['at'], played: Scene['played'] = {}): Scene => ({
  tickets: [ticket(at)],
  played,
});

describe('prepared tickets', () => {
  const newFolder = tempFolders();

  it('continue each other as long as the same happened', () => {
    const names = (one: Scene) => earlier(one).map(nameOf);
    assert.deepEqual(names(scene('prd')), [scene('answers'), scene('interview')].map(nameOf));
    assert.deepEqual(names(scene('draft')), []);
    const second: Scene = {
      tickets: [ticket('answers'), { title: 'Say goodbye', at: 'interview' }],
      played: {},
    };
    assert.deepEqual(names(second), [scene('answers'), scene('interview')].map(nameOf));
    for (const one of earlier(second)) assert.equal(placeOf(one), placeOf(second));
  });

  it('are the same ones where the model plays something else only later', () => {
    const coding = { tasks: { coding: [{ text: 'Nothing.' }] } };
    assert.equal(nameOf(scene('setup', coding)), nameOf(scene('setup')));
    assert.notEqual(nameOf(scene('review', coding)), nameOf(scene('review')));
    assert.equal(placeOf(scene('review', coding)), placeOf(scene('review')));
    assert.notEqual(
      nameOf(scene('setup', { tasks: { prd: [{ text: 'Nothing.' }] } })),
      nameOf(scene('setup')),
    );
    assert.notEqual(
      placeOf(scene('setup', { questions: { Q01: { priority: 'low' } } })),
      placeOf(scene('setup')),
    );
  });

  it('are driven in a folder that one test at a time has, empty, and under the same path each time', async () => {
    const kind = `unit-${String(process.pid)}`;
    const first = await Place.take(kind);
    const other = await Place.take(kind);
    try {
      assert.notEqual(first.folder, other.folder);
      writeFileSync(join(first.folder, 'left'), '');
    } finally {
      await first.release();
    }
    const again = await Place.take(kind);
    assert.equal(again.folder, first.folder);
    assert.ok(!existsSync(join(again.folder, 'left')));
    await again.release();
    await other.release();
  });

  it('come back as they were kept, and not at all when keeping them failed', async () => {
    const [base, from, to] = [await newFolder(), await newFolder(), await newFolder()];
    const store = new SceneStore('place-0', base);
    await assert.rejects(store.keep('broken', { world: from, home: join(from, 'nowhere') }));
    assert.equal(store.has('broken'), false);
    mkdirSync(join(from, 'state'), { mode: 0o700 });
    writeFileSync(join(from, 'state', 'state.db'), 'tickets');
    symlinkSync(join(from, 'state'), join(from, 'link'));
    await store.keep('whole', { world: from });
    assert.equal(store.has('whole'), true);
    assert.equal(store.has('whole', Date.now() + 25 * 3_600_000), false, 'it is made again after a day');
    await store.keep('whole', { world: from });
    await store.restore('whole', { world: to });
    assert.equal(readFileSync(join(to, 'link', 'state.db'), 'utf8'), 'tickets');
    assert.deepEqual(readFileSync(join(to, 'state', 'state.db'), 'utf8'), 'tickets');
  });
});
