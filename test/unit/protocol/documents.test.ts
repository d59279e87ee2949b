import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  documentAddress,
  fileOf,
  parseAddress,
  repositoryKey,
  typeOf,
} from '../../../src/protocol/documents.ts';

describe('addresses of documents', () => {
  it('name repository, ticket and document, and a version if one is meant', () => {
    const address = documentAddress('/home/ann/My App', 'APP-12', 'prd');
    assert.ok(address);
    assert.match(address.authority, /^my-app-[0-9a-f]{8}$/);
    assert.equal(address.path, '/APP-12/prd.yaml');
    assert.deepEqual(parseAddress(address), {
      repository: repositoryKey('/home/ann/My App'),
      ticket: 'APP-12',
      type: 'prd',
    });
    const stored = documentAddress('/a', 'APP-12', 'beads', 3);
    assert.deepEqual(stored && parseAddress(stored), {
      repository: repositoryKey('/a'),
      ticket: 'APP-12',
      type: 'beads',
      version: 3,
    });
  });

  it('tell two folders of the same name apart, and make a name of any folder', () => {
    assert.notEqual(repositoryKey('/a/app'), repositoryKey('/b/app'));
    assert.match(repositoryKey('C:\\work\\Thing'), /^thing-/);
    assert.match(repositoryKey('/ÄÖ'), /^repository-/);
  });

  it('have a file for each kind of document and lead back to it', () => {
    const types = [
      'interview',
      'prd',
      'beads',
      'execution_setup_plan',
      'relevant_files',
      'final_test_report',
      'bead_diff:auth-token',
      'pull_request_report',
    ];
    assert.deepEqual(types.map(fileOf), [
      'interview.yaml',
      'prd.yaml',
      'beads.jsonl',
      'setup-plan.yaml',
      'relevant-files.yaml',
      'final-test-report.json',
      'bead-diff/auth-token.diff',
      'pull-request.md',
    ]);
    for (const type of [...types, 'full_answers:openai/gpt-5@high', 'user_context'])
      assert.equal(typeOf(fileOf(type) ?? ''), type);
  });

  it('never lead out of their folder', () => {
    for (const type of [
      'bead_diff:../../x',
      'bead_diff:a/../b',
      'bead_diff:/x',
      'bead_diff:',
      '../x',
      'Prd',
      'a:b?c',
      'a:b#c',
      '',
    ])
      assert.equal(fileOf(type), undefined, type);
    fc.assert(
      fc.property(fc.string(), (text) => {
        const file = fileOf(`bead_diff:${text}`);
        if (file !== undefined) assert.equal(typeOf(file), `bead_diff:${text}`);
        return file === undefined || new URL(`http://x/T-1/${file}`).pathname.startsWith('/T-1/bead-diff/');
      }),
    );
  });

  it('are those of any other type for names that every object has', () => {
    for (const name of Object.getOwnPropertyNames(Object.prototype)) {
      const file: unknown = fileOf(name);
      assert.ok(file === undefined || (typeof file === 'string' && typeOf(file) === name), name);
    }
    assert.equal(documentAddress('/a', 'APP-1', 'constructor')?.path, '/APP-1/constructor.yaml');
    assert.equal(documentAddress('/a', 'APP-1', '__proto__'), undefined);
  });

  it('are refused when anything about them is odd', () => {
    const good = { scheme: 'beadsmith', authority: 'a-00000000', path: '/APP-1/prd.yaml', query: '' };
    assert.ok(parseAddress(good));
    for (const odd of [
      { scheme: 'file' },
      { authority: '' },
      { path: '/APP-1' },
      { path: '/app-1/prd.yaml' },
      { path: '/APP-1/prd.json' },
      { path: '/APP-1/../prd.yaml' },
      { query: 'version=0' },
      { query: 'version=1&x' },
    ])
      assert.equal(parseAddress({ ...good, ...odd }), undefined, JSON.stringify(odd));
  });
});
