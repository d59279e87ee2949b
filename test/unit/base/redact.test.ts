import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Known, redact } from '../../../src/base/redact.ts';
import { cpuMs } from '../../support/cpuMs.ts';

const places = {
  home: '/home/ann.smith',
  user: 'ann.smith',
  repositories: ['/home/ann.smith/code/thing', '/srv/other'],
};
const known: Known = { secrets: ['hunter2!', 'se"cret'], places };

const letters = (length: number, unit = 'abcXYZ0189'): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...unit.split('')), minLength: length, maxLength: length + 8 });
const keys = fc.oneof(
  ...[
    'ghp_',
    'gho_',
    'github_pat_',
    'glpat-',
    'sk-',
    'sk-ant-api03-',
    'sk_live_',
    'xoxb-',
    'npm_',
    'hf_',
    'xai-',
    'ya29.',
    'AIza',
  ].map((start) => letters(36).map((rest) => `${start}${rest}`)),
  fc
    .string({ unit: fc.constantFrom('A', 'B', 'X', 'Z', '0', '9'), minLength: 16, maxLength: 16 })
    .map((rest) => `AKIA${rest}`),
  fc.tuple(letters(20), letters(20), letters(20)).map(([a, b, c]) => `eyJ${a}.${b}.${c}`),
);
const around = fc
  .tuple(fc.string(), fc.constantFrom(' ', '\n', '"', "'", '(', '=', ': ', ',', '\t', '`', '['))
  .map(([text, end]) => text + end);
const secretsInPlace = fc.oneof(
  keys.map((key) => ({ text: key, secret: key })),
  letters(12).map((secret) => ({ text: `Authorization: Bearer ${secret}`, secret })),
  letters(12).map((secret) => ({ text: `{"authorization":"Basic ${secret}"}`, secret })),
  letters(8).map((secret) => ({ text: `OPENCODE_SERVER_PASSWORD=${secret}`, secret })),
  letters(8).map((secret) => ({ text: `"apiKey": "${secret} and ${secret}"`, secret })),
  letters(8).map((secret) => ({ text: `{\\"client_secret\\":\\"${secret}\\"}`, secret })),
  letters(8).map((secret) => ({ text: `https://ann:${secret}@example.com/x`, secret })),
  letters(8).map((secret) => ({ text: `https://example.com/x?a=1&access_token=${secret}&b=2`, secret })),
  fc
    .integer({ min: 10_000_000, max: 99_999_999 })
    .map((pin) => ({ text: `accessToken: ${String(pin)}`, secret: String(pin) })),
  letters(8, 'qwxz').map((secret) => ({ text: `${secret}@example.co.uk`, secret })),
);

describe('redact', () => {
  for (const [text, expected] of [
    ['Authorization: Bearer abc.def-123', 'Authorization: <secret>'],
    ['curl -H "X-Api-Key: 123" https://x', 'curl -H "X-Api-Key: <secret>" https://x'],
    ['sent with Bearer abcdef123456 twice', 'sent with Bearer <secret> twice'],
    ['git clone https://ann:pa:ss@example.com/a.git', 'git clone https://<secret>@example.com/a.git'],
    ['postgres://u:p/w@db/x', 'postgres://<secret>@db/x'],
    ['{"password": "a \\"b\\" c", "n": 1}', '{"password": "<secret>", "n": 1}'],
    ["token = 'abc'", "token = '<secret>'"],
    ['export GITHUB_TOKEN=ghp_0123456789abcdefghij0123456789abcdef', 'export GITHUB_TOKEN=<secret>'],
    ['id AKIAIOSFODNN7EXAMPLE.', 'id <secret>.'],
    ['mail to jo@example.com, please', 'mail to <e-mail>, please'],
    ['it is hunter2! or hunter2%21 or {"a":"se\\"cret"}', 'it is <secret> or <secret> or {"a":"<secret>"}'],
    ['-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----\nrest', '<secret>\nrest'],
    ['/home/ann.smith/code/thing/src/a.ts:1:2', '<repository>/src/a.ts:1:2'],
    ['file:///home/ann.smith/code/thing.worktrees/T-1', 'file://<repository>.worktrees/T-1'],
    ['/srv/other and /srv/others', '<repository 2> and <path>'],
    ['"%2Fhome%2Fann.smith%2Fnotes"', '"~%2Fnotes"'],
    ['/home/ann.smith-old/x /Users/bob/x', '/home/<user>/x /Users/<user>/x'],
    ['owner Ann.Smith (1000)', 'owner <user> (1000)'],
  ] as const)
    it(`makes of ${JSON.stringify(text)} what may be shown`, () => {
      assert.equal(redact(text, known), expected);
    });

  for (const [about, text, expected] of [
    ['a temporary folder', 'made /tmp/beadsmith-x/a.ts:3 there', 'made <path>:3 there'],
    ['another checkout', '/mnt/customer/app.worktrees/ABC-1/src', '<path>'],
    ['one with spaces', '{"folder":"/mnt/Jane Roe/notes"}', '{"folder":"<path>"}'],
    ['a temporary folder of macOS', '/private/var/folders/zz/x and /var/folders/zz/', '<path> and <path>'],
    [
      'another drive',
      'at D:\\Data\\Customer\\a.ts, d:/data/b "E:\\\\Data\\\\c"',
      'at <path>, <path> "<path>"',
    ],
    ['a share', 'from \\\\server\\share\\x and "\\\\\\\\server\\\\share"', 'from <path> and "<path>"'],
    [
      'an address of a file',
      'file:///tmp/a%20b/c file:///d%3A/Data/c file://server/share/d',
      'file://<path> file://<path> file://<path>',
    ],
    ['an encoded path', 'at %2Ftmp%2Fdata%2Fx and d%3A%2FData%2Fy', 'at <path> and <path>'],
    [
      'what is shortened',
      '<repository>/src/a.ts ~/x/y <repository 2>.worktrees/T-1/z',
      '<repository>/src/a.ts ~/x/y <repository 2>.worktrees/T-1/z',
    ],
    [
      'tools and routes',
      '/usr/bin/git, /etc/hosts, GET /session, and/or src/a/b.ts, https://example.com/a/b',
      '',
    ],
  ] as const)
    it(`leaves no path of ${about}, if it is one`, () => {
      assert.equal(redact(text, known), expected === '' ? text : expected);
    });

  it('leaves what is no secret', () => {
    const harmless =
      'tokens: 1200, token: 7, password: null, opencode-ai@1.18.33, task-0123456789abcdefgh, sha256 ' +
      `${'a1'.repeat(32)}, https://example.com:8080/a?page=2, basic tests passed, DRAFT → SCANNING (start), src/base/redact.ts:10:3`;
    assert.equal(redact(harmless, known), harmless);
  });

  it('shortens Windows paths, whatever their case and slashes', () => {
    const windows = { home: 'C:\\Users\\Ann', user: 'Ann', repositories: ['C:\\Users\\Ann\\thing'] };
    assert.equal(
      redact('c:\\users\\ann\\thing\\a C:/Users/Ann/b "C:\\\\Users\\\\Ann\\\\c"', { places: windows }),
      '<repository>\\a ~/b "~\\\\c"',
    );
  });

  it('takes paths and names of whatever letters as they are', () => {
    const strange = { home: '/home/a-b.c+d (e)', user: 'a-b.c+d', repositories: ['/tmp/x-[1]{2}^$|*?'] };
    assert.equal(
      redact('/tmp/x-[1]{2}^$|*?/y /home/a-b.c+d (e)/z a-b.c+d', { places: strange }),
      '<repository>/y ~/z <user>',
    );
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (name) => {
        const places = { home: `/home/${name}`, user: name, repositories: [`/srv/${name}`] };
        assert.equal(typeof redact(`/srv/${name}/x`, { places }), 'string');
      }),
    );
  });

  it('leaves paths and names alone where they are not asked for', () => {
    assert.equal(
      redact('/home/ann.smith/x hunter2!', { secrets: ['hunter2!'] }),
      '/home/ann.smith/x <secret>',
    );
  });

  it('leaves no secret, whatever is around it', () => {
    fc.assert(
      fc.property(around, secretsInPlace, around, (before, { text, secret }, after) => {
        const shown = redact(`${before}${text}${after.split('').toReversed().join('')}`, known);
        assert.ok(!shown.includes(secret), shown);
      }),
      { numRuns: 2_000 },
    );
  });

  it('leaves no known secret, home or name of the person', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.string(),
            fc.constantFrom('hunter2!', '/home/ann.smith', ' ann.smith ', '/home/ann.smith/code/thing'),
          ),
        ),
        (parts) => {
          const shown = redact(parts.join(' '), known);
          for (const one of ['hunter2!', '/home/ann.smith', ' ann.smith '])
            assert.ok(!shown.includes(one), shown);
        },
      ),
    );
  });

  it('changes nothing the second time', () => {
    const pieces = fc.oneof(
      fc.string(),
      secretsInPlace.map(({ text }) => text),
      fc.constantFrom(
        '<secret>',
        '<e-mail>',
        'password=',
        'token: "',
        '://',
        '@',
        '.com',
        'Bearer ',
        '/home/',
        'ann.smith',
        'sk-',
        'hunter2!',
        '~',
      ),
    );
    fc.assert(
      fc.property(fc.array(pieces), (parts) => {
        const once = redact(parts.join(''), known);
        assert.equal(redact(once, known), once);
      }),
      { numRuns: 1_000 },
    );
  });

  it('takes no long time for long lines that are almost secrets', () => {
    for (const piece of [
      'a',
      'a@',
      'a.',
      '://',
      'sk-',
      'password=',
      'Bearer ',
      '/home/',
      '-----BEGIN PRIVATE KEY-----',
      'eyJaaaaaaaa.',
      '"',
      '\\',
    ]) {
      const start = cpuMs();
      redact(piece.repeat(60_000 / piece.length), known);
      assert.ok(cpuMs() - start < 2_000, piece);
    }
  });
});
