import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import { evidenceBlock, evidenceIn } from '../../../../src/adapters/forge/github/evidenceBlock.ts';
import { withText } from '../../../../src/adapters/forge/github/markedText.ts';

describe('a proof in the text of a pull request', () => {
  const evidence = JSON.stringify({ ticket: 'TST-1', evidence: ['-->', 'é'] });

  it('is a comment that nobody sees, behind our part, and is replaced with it', () => {
    const first = withText('', 'TST-1', '## Summary', evidenceBlock(evidence));
    assert.equal(evidenceIn(first), evidence);
    assert.match(first, /\n## Summary\n<!-- beadsmith-evidence [^ ]+ -->\n<!-- \/beadsmith TST-1 -->$/);
    const next = withText(`Hi.\n${first}`, 'TST-1', '## Summary', evidenceBlock('{}'));
    assert.equal(evidenceIn(next), '{}');
    assert.equal(next.match(/beadsmith-evidence/g)?.length, 1);
  });

  it('stays whole where sections are left out, and is none where it would take all the room, which the text says', () => {
    const long = withText(
      '',
      'TST-1',
      `## Summary\n\nx\n\n## Evidence\n\n${'y\n'.repeat(40_000)}`,
      evidenceBlock(evidence),
    );
    assert.ok(long.length <= 65_536);
    assert.equal(evidenceIn(long), evidence);
    const without = withText(
      '',
      'TST-1',
      '## Summary\n\nx',
      evidenceBlock(randomBytes(40_000).toString('base64')),
    );
    assert.equal(evidenceIn(without), undefined);
    assert.match(
      without,
      /\nx\n\nThe signed evidence isn't in this text, because it is longer than 30,000 characters\. .*--evidence.*\n<!-- /,
    );
    assert.doesNotMatch(
      withText(without, 'TST-1', '## Summary', evidenceBlock(evidence)),
      /isn't in this text/,
    );
  });

  it('is none if someone made it unreadable, or of no end', () => {
    assert.equal(evidenceIn(null), undefined);
    assert.equal(evidenceIn('<!-- beadsmith-evidence AAAA -->'), undefined);
    const bomb = deflateRawSync('x'.repeat(30_000_000)).toString('base64');
    assert.equal(evidenceIn(`<!-- beadsmith-evidence ${bomb} -->`), undefined);
  });
});
