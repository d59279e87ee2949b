import assert from 'node:assert/strict';
import {
  isAt,
  isRulesFile,
  type RulesFile,
  rulesPlaces,
  rulesText,
} from '../../../src/context/repositoryRules.ts';

describe('rules of the repository', () => {
  const file = (path: string, text: string, folder = ''): RulesFile => ({ folder, path, text });

  it('are looked for in the top folder, in those of the files, and in all between', () => {
    const places = rulesPlaces(['lib/deep/a.ts', 'other.ts']).map(({ path }) => path);
    for (const path of [
      'AGENTS.md',
      '.github/copilot-instructions.md',
      'lib/AGENTS.md',
      'lib/deep/CLAUDE.md',
      'lib/.cursor/rules/',
    ]) {
      assert.ok(places.includes(path), path);
    }
    assert.ok(!places.some((path) => path.startsWith('other')));
    assert.ok(!places.includes('lib/.cursorrules'), 'only at the top');
    assert.ok(isAt({ folder: 'lib', path: 'lib/.cursor/rules/' }, 'lib/.cursor/rules/style.mdc'));
    assert.ok(!isAt({ folder: 'lib', path: 'lib/.cursor/rules/' }, 'lib/.cursor/rules/data.json'));
  });

  it('are known by their path', () => {
    for (const path of [
      'AGENTS.md',
      'a/b/AGENTS.md',
      'CONTRIBUTING.md',
      '.cursor/rules/x.mdc',
      '.github/instructions/y.instructions.md',
    ])
      assert.ok(isRulesFile(path), path);
    for (const path of ['README.md', 'src/agents.md.ts', 'lib/AGENTS.md/other.ts'])
      assert.ok(!isRulesFile(path), path);
  });

  it('say for which folder they are, and what only points to another file or repeats it says nothing', () => {
    const files = [
      file('AGENTS.md', 'Be brief.\n'),
      file('CLAUDE.md', '@AGENTS.md\n'),
      file('GEMINI.md', 'Be brief.'),
    ];
    const text = rulesText([...files, file('lib/AGENTS.md', 'No classes.', 'lib')]);
    assert.equal(
      text,
      '### AGENTS.md (for the whole repository)\n\nBe brief.\n\n### lib/AGENTS.md (for lib/)\n\nNo classes.',
    );
    assert.equal(rulesText([file('AGENTS.md', 'a\0b')]), '');
    assert.equal(rulesText([]), '');
  });

  it('are cut where there is too much, which is said, and rules of a nested folder outlast what is written for people', () => {
    const long = (name: string): string => `${name} `.repeat(3_000);
    const text = rulesText([
      file('AGENTS.md', long('one')),
      file('CLAUDE.md', long('two')),
      file('CONTRIBUTING.md', long('three')),
      file('lib/AGENTS.md', 'No classes.', 'lib'),
    ]);
    assert.match(text, /No classes\./);
    assert.match(text, /\[… cut: \d+ of \d+ characters; the whole is in AGENTS\.md\]/);
    assert.ok(text.length < 25_000, String(text.length));
    const five = ['a', 'b', 'c', 'd', 'e'].map((folder) => file(`${folder}/AGENTS.md`, long(folder), folder));
    assert.match(rulesText(five), /left out, because there is too much: e\/AGENTS\.md/);
  });
});
