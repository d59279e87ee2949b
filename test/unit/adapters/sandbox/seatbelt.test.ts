import assert from 'node:assert/strict';
import { seatbeltProfile } from '../../../../src/adapters/sandbox/seatbelt.ts';

describe('the profile for macOS', () => {
  const places = {
    readOnly: ['/Users/ada/repo/.git'],
    hidden: ['/Users/ada/repo/.git/beadsmith'],
    readWrite: ['/Users/ada/trees/A-1', '/Users/ada/box "1"'],
  };

  it('denies what it does not name, hides what is ours, and writes to the worktree', () => {
    const lines = seatbeltProfile(places, 'none').split('\n');
    assert.deepEqual(lines.slice(0, 2), ['(version 1)', '(deny default)']);
    const at = (line: string): number => lines.indexOf(line);
    const [shown, hidden, written] = [
      at('(allow file-read* (subpath "/Users/ada/repo/.git"))'),
      at('(deny file-read* file-write* (subpath "/Users/ada/repo/.git/beadsmith"))'),
      at(
        '(allow file-read* file-write* (subpath "/Users/ada/trees/A-1") (subpath "/Users/ada/box \\"1\\""))',
      ),
    ];
    // The last rule that matches wins.
    assert.ok(shown > 0 && hidden > shown && written > hidden);
    assert.ok(!lines.some((line) => line.includes('"/Users/ada"')));
  });

  it('has the network only where it is told so', () => {
    assert.ok(!seatbeltProfile(places, 'none').includes('(allow network*)'));
    assert.ok(seatbeltProfile(places, 'host').includes('(allow network*)'));
  });

  it('leaves out a rule without places, which would be about every file', () => {
    const profile = seatbeltProfile({ readOnly: [], hidden: [], readWrite: ['/a'] }, 'host');
    assert.doesNotMatch(profile, /file-read\* *\)/);
  });
});
