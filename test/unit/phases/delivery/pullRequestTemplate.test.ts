import assert from 'node:assert/strict';
import { templatePath } from '../../../../src/domain/forge/templatePath.ts';
import { framed } from '../../../../src/phases/delivery/pullRequestTemplate.ts';

const said = '- People are greeted.';

describe('the pull-request template of a repository', () => {
  it('is found where forges look for it, in any letter case, and of a folder the first by name', () => {
    const folder = [
      'Docs/PULL_REQUEST_TEMPLATE/b.md',
      'Docs/PULL_REQUEST_TEMPLATE/a.md',
      'Docs/PULL_REQUEST_TEMPLATE/deep/0.md',
    ];
    const places = [
      '.github/PULL_REQUEST_TEMPLATE.md',
      'Pull_Request_Template.txt',
      'DOCS/pull_request_template.md',
      '.github/pull_request_template/z.md',
    ];
    const expected = [...places, 'Docs/PULL_REQUEST_TEMPLATE/a.md'];
    for (const [at, path] of expected.entries())
      assert.equal(templatePath([...folder, ...places.slice(at).toReversed()]), path);
    for (const other of [
      'src/pull_request_template.md',
      '.github/pull_request_template.md.bak',
      'pull_request_template/x.exe',
      'pull_request_templates.md',
    ]) {
      assert.equal(templatePath([other]), undefined, other);
    }
  });

  it('has our summary where it asks for a description, in place of what it tells people to write', () => {
    const template =
      '# Ticket\n\nNone.\n\n## Short description\n\n<!-- Say\nwhat. -->\nPlease write a summary.\n\n- [x] I wrote it\n\n## Tests\n\n- [X] ran\n';
    assert.equal(
      framed(template, said),
      `# Ticket\n\nNone.\n\n## Short description\n\n${said}\n\n- [ ] I wrote it\n\n## Tests\n\n- [ ] ran`,
      'no box is ticked',
    );
    assert.match(
      framed('Type of change\n===\n\nWhat changed?\n---\n...\n', said),
      /^# Type of change\n\n## What changed\?\n\n- People are greeted\.$/,
    );
  });

  it('has our summary ahead where it asks for none', () => {
    assert.equal(
      framed('## Checklist\n\n- [ ] Tests\n', said),
      `## Summary\n\n${said}\n## Checklist\n\n- [ ] Tests`,
    );
    assert.equal(framed('', said), `## Summary\n\n${said}`);
    assert.equal(framed('## Description\n\nNone.', ''), '## Description\n\nNone.');
  });

  it('keeps its structure, and does nothing on a forge', () => {
    const template = [
      '---\nname: x\n---',
      '1. **See** [the rules](https://example.org/x) @team #12',
      '   - <img src=x> ![pic](http://y)',
      '> Closes #3',
      '| A | B |\n| :-- | --- |\n| a <b> | @me |',
      '<details>\ninside\n</details>',
      '***',
      '~~~sh\n```\n<!-- kept out -->\n~~~',
      '````\n@me is code here',
    ].join('\n');
    const text = framed(template, said);
    assert.match(text, /^1\. See the rules \(`https:\/\/example\.org\/x\)?`\)? `@team` `#12`$/m);
    assert.match(text, /^ {3}- \\<img src=x\\> pic \(`http:\/\/y\)?`\)?$/m);
    assert.match(text, /^> Closes `#3`$/m);
    assert.match(text, /^\| A \| B \|\n\| :-- \| --- \|\n\| a \\<b\\> \| `@me` \|\n\ninside\n\n\*\*\*$/m);
    assert.ok(text.endsWith('````\n```\n\n````\n```\n@me is code here\n```'), text);
    assert.doesNotMatch(text, /<!--|name: x|details/);
  });

  it('hides nothing that follows: comments and code that it leaves open end with it', () => {
    assert.equal(framed('a\n<!-- b', said), `## Summary\n\n${said}\na`);
    assert.equal(framed('x\n```\nopen', said), `## Summary\n\n${said}\nx\n\`\`\`\nopen\n\`\`\``);
    assert.equal(framed('```one line``` of code', said), `## Summary\n\n${said}\n\`one line\` of code`);
  });
});
