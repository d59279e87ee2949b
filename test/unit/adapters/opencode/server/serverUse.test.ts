import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { Grace, ServerUse } from '../../../../../src/adapters/opencode/server/serverFiles.ts';

describe('The use of an OpenCode server', () => {
  let rests = 0;
  let use: ServerUse;
  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    rests = 0;
    use = new ServerUse(10_000, () => (rests += 1));
  });
  afterEach(() => mock.timers.reset());
  const answered = () => use.during(() => Promise.resolve());

  it('is over a while after the last thing that ran on it', async () => {
    await answered();
    mock.timers.tick(9_999);
    assert.equal(rests, 0);
    mock.timers.tick(1);
    assert.equal(rests, 1);
    mock.timers.tick(60_000);
    assert.equal(rests, 1, 'it is released once');
  });

  it('starts again with each use', async () => {
    await answered();
    mock.timers.tick(6_000);
    await answered();
    mock.timers.tick(6_000);
    assert.equal(rests, 0);
    mock.timers.tick(4_000);
    assert.equal(rests, 1);
  });

  it('lasts as long as anything runs, however long that takes', async () => {
    const prompt = Promise.withResolvers<void>();
    const running = use.during(() => prompt.promise);
    await answered();
    mock.timers.tick(3_600_000);
    assert.deepEqual([rests, use.idle], [0, false]);
    prompt.resolve();
    await running;
    assert.equal(use.idle, true);
    mock.timers.tick(10_000);
    assert.equal(rests, 1);
  });

  it('is counted for what fails, too', async () => {
    await assert.rejects(use.during(() => Promise.reject(new Error('no answer'))));
    assert.equal(use.idle, true);
    mock.timers.tick(10_000);
    assert.equal(rests, 1);
  });

  it('releases nothing once it has ended', async () => {
    await answered();
    use.end();
    mock.timers.tick(60_000);
    assert.equal(rests, 0);
  });
});

describe('The grace of an OpenCode server', () => {
  it('is over when nobody has used it for so long', () => {
    const grace = new Grace(60_000);
    assert.deepEqual(
      [
        grace.isOver(true, 0),
        grace.isOver(false, 1_000),
        grace.isOver(false, 60_999),
        grace.isOver(false, 61_000),
      ],
      [false, false, false, true],
    );
  });

  it('starts again when it is used meanwhile', () => {
    const grace = new Grace(60_000);
    grace.isOver(false, 0);
    assert.equal(grace.isOver(true, 59_000), false);
    assert.equal(grace.isOver(false, 61_000), false);
    assert.equal(grace.isOver(false, 121_000), true);
  });
});
