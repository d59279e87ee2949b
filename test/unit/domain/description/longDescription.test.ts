import assert from 'node:assert/strict';
import { slices } from '../../../../src/context/slices.ts';
import { isLongDescription, outlined } from '../../../../src/domain/description/longDescription.ts';
import { emptyContextState } from '../../../support/samples.ts';

describe('A long description', () => {
  const paragraph = `${'Words of a specification. '.repeat(40)}\n\n`;
  const section = (name: string) => `## ${name}\n\n${paragraph.repeat(20)}`;
  const long = `# Specification\n\n${['Goals', 'Data model', 'Interface', 'Errors', 'Limits', 'Later', 'Never', 'Appendix'].map(section).join('')}`;
  const details = (description: string) =>
    slices.ticket_details.render({ ...emptyContextState, ticketId: 'TST-1', title: 'Spec', description });

  it('of 66 to 125 thousand characters is whole in prompts', () => {
    const usual = long.slice(0, 125_000);
    assert.equal(details(usual), `TST-1: Spec\n\n${usual}`.trimEnd());
  });

  it('is its beginning, its outline by lines, and where the rest is', () => {
    assert.ok(isLongDescription(long), String(long.length));
    const text = details(long);
    assert.ok(text.length < 25_000, String(text.length));
    assert.ok(text.startsWith('TST-1: Spec\n\n# Specification\n\n## Goals\n\nWords'));
    assert.match(text, /\.ticket\/description\.md/);
    const lines = long.split('\n');
    const named = [...text.matchAll(/^line (\d+): (.*)$/gm)].map(([, line, heading]) => [
      lines[Number(line) - 1],
      heading,
    ]);
    assert.equal(named.length, 9);
    for (const [line, heading] of named) assert.equal(line, heading);
  });

  it('has no outline from fenced code, and a bounded one', () => {
    const many = Array.from({ length: 1_000 }, (_, at) => `# Heading ${String(at)}\n${'x'.repeat(200)}`).join(
      '\n',
    );
    const text = outlined(`\`\`\`sh\n# no heading\n\`\`\`\n${many}`);
    assert.doesNotMatch(text, /line 2: /);
    assert.match(text, /and 600 more/);
    assert.match(outlined('x'.repeat(200_000)), /no headings/);
  });
});
