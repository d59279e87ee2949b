import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import {
  hasMarker,
  withText,
  evidenceBlock,
  evidenceIn,
} from '../../../../src/adapters/forge/github/markedText.ts';

describe('the text of a pull request on GitHub', () => {
  const start = '<!-- beadsmith TST-1 -->';
  const end = '<!-- /beadsmith TST-1 -->';
  const part = `${start}\nnew\n${end}`;

  it('has the ticket’s part between two comments', () => {
    assert.equal(withText('', 'TST-1', ' new\n'), part);
    assert.deepEqual(
      [hasMarker(part, 'TST-1'), hasMarker(part, 'TST-2'), hasMarker(null, 'TST-1')],
      [true, false, false],
    );
  });

  it('keeps what people wrote, whatever they left of the comments', () => {
    for (const [before, after] of [
      [`Hi.\n${start}\nold\n${end}\nBye.`, `Hi.\n${part}\nBye.`],
      [`Hi.\n${start}\nold\nBye.`, `Hi.\n${part}\n\nold\nBye.`],
      [`Hi.\n${start}\r\nold\r\n`, `Hi.\n${part}\n\nold`],
      [`${end}\nHi.\n${start}\nold`, `${end}\nHi.\n${part}\n\nold`],
      [`old\n${end}\nBye.`, `old\n${end}\nBye.`],
      ['All mine.', 'All mine.'],
    ] as const)
      assert.equal(withText(before, 'TST-1', 'new'), after, before);
  });

  it('has fewer sections of ours where it would be longer than GitHub takes', () => {
    const people = 'x'.repeat(60_000);
    const sections = `## Summary\n\nShort.\n\n## Evidence\n\n${'y\n'.repeat(5_000)}`;
    const text = withText(`${people}\n${part}`, 'TST-1', sections);
    assert.ok(text.length <= 65_536 && text.startsWith(people) && hasMarker(text, 'TST-1'));
    assert.match(text, /## Summary\n\nShort\.\n\n… Left out, because GitHub takes 65,536 .*: Evidence\./);
  });

  it('is refused when it is longer than GitHub takes', () => {
    const long = `${'x'.repeat(65_500)}${part}`;
    assert.throws(() => withText(long, 'TST-1', 'new'), { code: 'FORGE_REFUSED' });
  });
});

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
