import assert from 'node:assert/strict';
import { forgeText } from '../../../src/base/forgeText.ts';
import { cpuMs } from '../../support/cpuMs.ts';

const attacks: readonly (readonly [about: string, text: string, prose: string, plain: string])[] = [
  ['a closing keyword', 'fixes #12', 'fixes `#12`', 'fixes # 12'],
  ['one of another repository', 'Closes evil/x#12', 'Closes `evil/x#12`', 'Closes evil/x# 12'],
  ['one in another form', 'resolves GH-12', 'resolves `GH-12`', 'resolves GH- 12'],
  [
    'one with an address',
    'fix https://github.com/a/b/issues/1',
    'fix `https://github.com/a/b/issues/1`',
    'fix https: //github.com/a/b/issues/1',
  ],
  ['a merge request', 'closes a/b!7', 'closes `a/b!7`', 'closes a/b! 7'],
  ['a name', 'by @all and @org/team', 'by `@all` and `@org/team`', 'by @ all and @ org/team'],
  ['a name behind a backslash', '\\@all', '\\\\`@all`', '\\@ all'],
  ['a name as an entity', '&#64;all', '\\&`#64`;all', '&# 64;all'],
  ['HTML', '<img src=x onerror=y>', '\\<img src=x onerror=y\\>', '<img src=x onerror=y>'],
  ['a comment', '<!-- approve -->', '\\<!-- approve --\\>', '<!-- approve -->'],
  ['a picture', '![x](//evil.example/x)', '!\\[x\\](//evil.example/x)', '![x](//evil.example/x)'],
  ['a link', '[safe](javascript:x)', '\\[safe\\](javascript:x)', '[safe](javascript:x)'],
  ['an address without a scheme', 'see www.evil.example', 'see `www.evil.example`', 'see www .evil.example'],
  ['a task', '[x] reviewed', '\\[x\\] reviewed', '[x] reviewed'],
  ['a heading', '# Approved', '\\# Approved', '# Approved'],
  ['a list in a list', '- a', '\\- a', '- a'],
  ['a numbered list', '1. a', '1\\. a', '1. a'],
  ['a command of GitLab', '/merge', '\\/merge', '/merge'],
  ['emphasis, and a name that isn’t', '**a** _b_ c_d', '\\*\\*a\\*\\* \\_b\\_ c_d', '**a** _b_ c_d'],
  ['a formula', '$x$', '\\$x\\$', '$x$'],
  ['a tick that is open', 'a ` <b>', 'a \\` \\<b\\>', 'a ` <b>'],
  ['a text that turns', 'a\u202Eb', 'a⟨U+202E⟩b', 'a⟨U+202E⟩b'],
  ['a text that nobody sees', 'a\u200Bb', 'a⟨U+200B⟩b', 'a⟨U+200B⟩b'],
  ['several lines', 'a\r\n\n## b\u2028c', 'a ## b c', 'a ## b c'],
];

describe('text for a forge', () => {
  for (const [about, text, prose, plain] of attacks) {
    it(`keeps ${about} a text`, () => {
      assert.equal(forgeText.prose(text), prose);
      assert.equal(forgeText.plain(text), plain);
    });
  }

  it('keeps the code that a model wrote, and what is in it', () => {
    assert.equal(forgeText.prose('Reads `a_b <c>` and ``x`y``.'), 'Reads `a_b <c>` and ``x`y``.');
  });

  it('keeps code apart from a reference beside it', () => {
    assert.equal(forgeText.prose('``x``@all'), '`x` `@all`');
    assert.equal(forgeText.prose('@a#1`b`'), '`@a` `#1` `b`');
  });

  it('keeps words that are no references', () => {
    for (const text of [
      'Names are read, e.g. by hand (C# too).',
      'It costs 5 %; see below!',
      'snake_case and a-b',
    ])
      assert.equal(forgeText.prose(text), text);
  });

  it('closes code by nothing that is in it', () => {
    assert.equal(forgeText.code('a`b'), '``a`b``');
    assert.equal(forgeText.code('`a`` b'), '``` `a`` b ```');
    assert.equal(forgeText.code('a\n<b>'), '`a <b>`');
  });

  it('ends no cell of a table, also behind a backslash', () => {
    const bars = (text: string): number => [...text.replace(/\\./g, '').matchAll(/\|/g)].length;
    for (const text of [
      'a|b',
      'a\\|b',
      'a\\\\|b',
      '`a|b`',
      '`a\\|<img>`',
      '`a\\\\|<img>`',
      'http://x/|<b>',
      'http://x/\\|<b>',
    ]) {
      for (const shown of [forgeText.cell(text), forgeText.codeCell(text)]) {
        assert.equal(bars(shown), 0, shown);
        assert.doesNotMatch(shown.replace(/`[^`]*`|<\/?code>/g, '').replace(/\\./g, ''), /[<>]/, shown);
      }
    }
  });

  it('takes no long time, whatever the text', () => {
    const start = cpuMs();
    for (const part of ['`', '` ``', 'a.', '@', 'a/', 'x://', 'GH-', '#1', '\\', '_'])
      for (const shown of [forgeText.prose, forgeText.plain, forgeText.code, forgeText.codeCell])
        shown(part.repeat(5_000));
    assert.ok(cpuMs() - start < 3_000, String(cpuMs() - start));
  });
});
