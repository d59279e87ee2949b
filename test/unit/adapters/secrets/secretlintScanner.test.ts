import assert from 'node:assert/strict';
import { SecretlintScanner } from '../../../../src/adapters/secrets/secretlintScanner.ts';

const token = ['ghp', 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('_');
const slice = 64 * 1024;

describe('the scanner of secrets', () => {
  const scanner = new SecretlintScanner();

  it('finds each secret of a long text once, wherever the slices are cut, with its line', async () => {
    for (const shift of [-token.length, -20, -1, 0, 1, 200]) {
      const ahead = 'x\n'.repeat((slice + shift) / 2 + 1).slice(0, slice + shift - 1);
      const text = `${token}\n${ahead.slice(token.length + 1)} ${token}\n${'y\n'.repeat(slice)}${token}`;
      const found = await scanner.scan('a.txt', text);
      assert.deepEqual(
        found.map(({ start, end, line }) => [text.slice(start, end), line]),
        [0, text.indexOf(token, 1), text.lastIndexOf(token)].map((at) => [
          token,
          text.slice(0, at).split('\n').length,
        ]),
        String(shift),
      );
    }
  });

  it('scans the same text of the same file once, for a part is in prompt after prompt', async () => {
    const scans: string[] = [];
    const counted = new SecretlintScanner(async (path, text) => {
      scans.push(path);
      return [{ rule: 'a rule', line: 1, start: text.indexOf('secret'), end: text.length }];
    });
    for (const [path, text] of [
      ['prd', 'a secret'],
      ['prd', 'a secret'],
      ['beads', 'a secret'],
      ['prd', 'another secret'],
      ['prd', 'a secret'],
    ] as const)
      assert.equal((await counted.scan(path, text))[0]?.start, text.indexOf('secret'));
    assert.deepEqual(scans, ['prd', 'beads', 'prd']);
  });

  it('lets nothing else wait longer than 50 ms, whatever 500 KB hold', async () => {
    await scanner.scan('a.txt', token);
    for (const piece of [
      '\n',
      'glpat-',
      'sk-ant-api03-',
      'lin_api_',
      '://',
      'secret_access_key = ',
      'a:b@',
      '-----BEGIN RSA PRIV' + 'ATE KEY-----\n',
    ]) {
      const text = piece.repeat(500_000 / piece.length);
      // A garbage collection may get in between, but not every time.
      const waits = [await longestWait(text), await longestWait(text), await longestWait(text)];
      assert.ok(Math.min(...waits) < 50, `${JSON.stringify(piece)}: ${waits.join(', ')} ms`);
    }
  });

  async function longestWait(text: string): Promise<number> {
    let longest = 0;
    // Of this thread alone: on a busy machine it waits for others.
    const processorMs = (): number => {
      const { user, system } = process.threadCpuUsage();
      return (user + system) / 1_000;
    };
    let before = processorMs();
    const measure = (): void => {
      const now = processorMs();
      longest = Math.max(longest, now - before);
      before = now;
    };
    const beat = setInterval(measure, 0);
    // Another scanner, which hasn't seen the text.
    await new SecretlintScanner().scan('a.txt', text);
    measure();
    clearInterval(beat);
    return longest;
  }
});
