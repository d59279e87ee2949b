import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parse, stringify } from 'yaml';
import { findSecrets } from '../../../src/adapters/secrets/secretlintRules.ts';
import {
  secretSpans,
  withoutSecrets,
  withoutSecretsInText,
  withoutSecretsInValue,
  withoutSpans,
} from '../../../src/base/outputSecrets.ts';
import { cpuMs } from '../../support/cpuMs.ts';

// Joined here, so that no scanner takes them for secrets.
const key = (begin: string, rest: string): string => `${begin}${rest}`;
const random = 'aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5';
const samples: Readonly<Record<string, string>> = {
  github: key('ghp_', random),
  'github-2': key('github_pat_', `11ABCDEFG0${random}_${random}`),
  gitlab: key('glpat-', random.slice(0, 20)),
  aws: key('AKIA', 'QRSTUVWX23456789'),
  'aws-secret-key': `aws_secret_access_key = ${key('wJalrXUtnFEMI/K7MDENG/', 'bPxRfiCYzzAMPLEKEY')}`,
  google: key('AIza', 'SyD3f5G7h9J1k3L5m7N9p1Q3r5S7t9U1v3W'),
  slack: key('xoxb-', '123456789012-1234567890123-aBcDeFgHiJkLmNoPqRsTuVwX'),
  npm: key('npm_', random),
  provider: key('sk-ant-api03-', `${random}${random}-${random}AA`),
  'provider-2': key('sk-proj-', `${random}${random}`),
  sendgrid: key('SG.', `${random.slice(0, 22)}.${random}${random.slice(0, 7)}`),
  shopify: key('shpat_', '0123456789abcdef0123456789abcdef'),
  linear: key('lin_api_', `${random}ABCD`),
  login: `postgres://admin:${key('s3cret', 'Pass')}@db.example.com/app`,
  'private-key': `${key('-----BEGIN RSA PRIV', 'ATE KEY-----')}\n${`${random}${random}\n`.repeat(30)}${key('-----END RSA PRIV', 'ATE KEY-----')}`,
};

describe('the output of a command', () => {
  for (const [name, secret] of Object.entries(samples)) {
    it(`holds no ${name} key, and names its rule`, () => {
      const shown = withoutSecrets(`before ${secret} after`);
      const rule = name.replace(/-\d$/, '');
      assert.match(shown, new RegExp(`^before .*\\[redacted: ${rule}\\].* after$`));
      const private_ =
        secret
          .split(/[ :@]/)
          .find((part) => part.length > 9 && !part.startsWith('-----') && !part.includes('.example')) ?? '';
      if (!['login', 'private-key', 'aws-secret-key'].includes(rule))
        assert.ok(!shown.includes(private_.slice(-8)), shown);
    });
  }

  it('holds nothing that the scanner of commits finds', async () => {
    for (const [name, secret] of Object.entries(samples))
      assert.deepEqual(await findSecrets('a.txt', withoutSecrets(`before ${secret} after`)), [], name);
  });

  it('holds no value that a person allowed, as it is, in JSON or in an address', () => {
    const secret = 'p"ss w/rd';
    for (const spelling of [secret, 'p\\"ss w/rd', 'p%22ss%20w%2Frd'])
      assert.equal(withoutSecrets(`a ${spelling} b`, [secret]), 'a <secret> b');
    assert.equal(withoutSecrets('abc', ['abc']), 'abc', 'too short to be one');
  });

  it('is otherwise as it was', () => {
    for (const text of [
      'sk-loading-indicator-wrapper-element',
      'task-12345678901234567890',
      'git@github.com:a/b.git',
      'http://localhost:3000/a@b',
      'npm_config_cache',
    ])
      assert.equal(withoutSecrets(text), text);
  });

  it('is redacted once, and wherever it is cut', () => {
    const texts = fc
      .array(
        fc.constantFrom(
          ...Object.values(samples),
          'text ',
          '\n',
          'AKIA',
          'sk-',
          '-----BEGIN ',
          ':',
          '@',
          'eyJ.',
        ),
      )
      .map((parts) => parts.join(' '));
    fc.assert(
      fc.property(texts, fc.nat(), (text, place) => {
        const shown = withoutSecrets(text);
        assert.equal(withoutSecrets(shown), shown);
        const at = place % (text.length + 1);
        const spans = secretSpans(text);
        const [head, tail] = [withoutSpans(text, spans, 0, at), withoutSpans(text, spans, at)];
        for (const { start, end } of spans)
          assert.ok(end - start < 12 || !`${head}\n${tail}`.includes(text.slice(start + 4, end - 2)));
        assert.ok(head.length + tail.length >= shown.length);
      }),
    );
  });

  it('takes time that grows with its length alone', () => {
    const pieces = [
      'eyJ',
      'eyJ.',
      'sk-',
      'sk_a',
      'ghp_',
      '-----BEGIN PRIVATE KEY-----',
      '://a:',
      'a://b:c',
      'SG.',
      'AKIA',
      'a',
      '_auth=',
      '=',
      'secret_access_key=',
      'xoxb-',
    ];
    for (const piece of pieces) {
      const start = cpuMs();
      withoutSecrets(piece.repeat(500_000 / piece.length));
      const took = cpuMs() - start;
      assert.ok(took < 1_000, `${piece}: ${String(took)} ms`);
    }
  });
});

describe('what a model writes', () => {
  for (const [name, secret] of Object.entries(samples)) {
    it(`keeps its structure without a ${name} key, as YAML and as JSON`, () => {
      const document = {
        note: `with ${secret} in it`,
        list: [secret, 'after'],
        after: { secret, last: true },
      };
      for (const [write, read] of [
        [(value: unknown) => stringify(value), (text: string): unknown => parse(text)],
        [(value: unknown) => JSON.stringify(value), (text: string): unknown => JSON.parse(text)],
      ] as const) {
        const shown = read(withoutSecretsInText(write(document))) as typeof document;
        const mark = `(redacted ${name.replace(/-\d$/, '')})`;
        assert.equal(shown.list.length, 2);
        assert.deepEqual([shown.list[1], shown.after.last], ['after', true]);
        for (const text of [shown.note, shown.list[0] ?? '', shown.after.secret])
          assert.ok(text.includes(mark), text);
      }
      assert.deepEqual(withoutSecretsInValue([secret, 1, null]).slice(1), [1, null]);
      assert.ok(!JSON.stringify(withoutSecretsInValue({ a: [secret] })).includes(secret));
    });
  }

  it('stays whole where a secret is only talked about', () => {
    for (const text of [
      `Read the line "${key('-----BEGIN RSA PRIV', 'ATE KEY-----')}", then the rest. Refuse anything else.`,
      'DATABASE_URL=postgres://test:secret@localhost:5432/test npm test',
      'redis://app:secret@cache:6379',
    ])
      assert.equal(withoutSecretsInText(text), text);
  });

  it('is redacted in a time that grows with its length alone', () => {
    for (const piece of [
      key('-----BEGIN PRIV', 'ATE KEY-----'),
      `${key('-----BEGIN PRIV', 'ATE KEY-----')}\n${random}${random}`,
      '-',
      'a-',
    ]) {
      const start = cpuMs();
      withoutSecretsInText(piece.repeat(500_000 / piece.length));
      assert.ok(cpuMs() - start < 1_000, piece);
    }
  });
});
