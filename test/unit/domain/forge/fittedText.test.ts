import assert from 'node:assert/strict';
import { fittedText } from '../../../../src/domain/forge/fittedText.ts';

describe('a text that is longer than a forge takes', () => {
  const most = 3_000;
  const section = (name: string, length: number): string => `## ${name}\n\n${'x '.repeat(length / 2)}`.trim();

  it('stays as it is where it fits', () => {
    const text = section('Summary', 1_000);
    assert.equal(fittedText(text, most), text);
  });

  it('loses whole sections, says which and why, and keeps later ones that fit', () => {
    const all = [section('Summary', 500), section('Evidence', 4_000), section('Assumptions', 300)];
    const fitted = fittedText(all.join('\n\n'), most);
    assert.ok(fitted.length <= most);
    assert.ok(fitted.startsWith(`${all[0] ?? ''}\n\n${all[2] ?? ''}\n\n…`));
    assert.match(
      fitted,
      /\n… Left out, because GitHub takes 65,536 characters at most: Evidence\. The ticket in Beadsmith has all of it\.$/,
    );
  });

  it('is cut at a line in its first section alone, and leaves no code open', () => {
    const lines = Array.from({ length: 200 }, (_, at) => `## line ${String(at)} of some length`);
    const fitted = fittedText(['## Summary', '', '```', ...lines, '```', '', '## Why'].join('\n'), most);
    assert.ok(fitted.length <= most);
    assert.match(fitted, /some length\n```\n\n## Why\n\n… Left out, [^\n]+ most: the end of Summary\. /);
  });
});
