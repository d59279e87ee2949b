import assert from 'node:assert/strict';
import { linesOf, placeThread } from '../../../../src/views/review/places.ts';

const [here, there] = ['a'.repeat(40), 'b'.repeat(40)];
const content = 'one\ntwo\nthree\ntwo\nfive\n';
const thread = { commit: here, line: 4, endLine: 4, text: 'two' };

describe('the place of a thread', () => {
  it('is where it was written, in the version it was written in', () => {
    assert.deepEqual(placeThread({ ...thread, text: 'whatever' }, here, content), {
      line: 4,
      endLine: 4,
      outdated: false,
    });
  });

  it('is where its lines stand in another version, the nearest of several', () => {
    assert.deepEqual(placeThread(thread, there, `new\n${content}`), { line: 5, endLine: 5, outdated: false });
    assert.deepEqual(placeThread({ ...thread, line: 2, endLine: 2 }, there, `new\n${content}`), {
      line: 3,
      endLine: 3,
      outdated: false,
    });
  });

  it('follows several lines only as a whole, whatever their indentation', () => {
    const two = { ...thread, line: 2, endLine: 3, text: 'two\nthree' };
    assert.deepEqual(placeThread(two, there, '\n\n  two\n  three\n'), {
      line: 3,
      endLine: 4,
      outdated: false,
    });
    assert.deepEqual(placeThread(two, there, 'two\n\nthree\n'), { line: 2, endLine: 3, outdated: true });
  });

  it('is about where it was when its lines are gone, and never below the end', () => {
    assert.deepEqual(placeThread(thread, there, 'one\nthree\nfour\nfive\nsix'), {
      line: 4,
      endLine: 4,
      outdated: true,
    });
    assert.deepEqual(placeThread(thread, there, 'only'), { line: 1, endLine: 1, outdated: true });
    assert.deepEqual(placeThread({ ...thread, text: '  ' }, there, content), {
      line: 4,
      endLine: 4,
      outdated: true,
    });
  });

  it('is found by the lines it was written on', () => {
    assert.equal(linesOf(content, 2, 3), 'two\nthree');
    assert.equal(linesOf('a\r\nb\r\n', 2, 2), 'b');
  });
});
