import assert from 'node:assert/strict';
import { secretsIn, variablesNamedIn } from '../../../../src/domain/environment/inputs.ts';
import { isRefusedVariable } from '../../../../src/domain/environment/variables.ts';

describe('what is private in a file', () => {
  it('is each value, but for words and numbers that say nothing', () => {
    const text =
      'NODE_ENV=test\nPORT=3000\nexport API_KEY="abcd"\nDATABASE_URL=postgres://ada:pw@db/x\nDEBUG=true\n# note\nPASSWORD=1234\n';
    assert.deepEqual([...secretsIn(text)].sort(), ['1234', 'abcd', 'postgres://ada:pw@db/x']);
  });

  it('is what a key in JSON or YAML holds', () => {
    assert.deepEqual(secretsIn('{\n  "client_secret": "s3cr3t-value",\n}'), ['s3cr3t-value']);
    assert.deepEqual(secretsIn('token: another-value'), ['another-value']);
  });

  it('is every long line of a certificate', () => {
    const line = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC';
    assert.ok(secretsIn(`-----BEGIN PRIVATE KEY-----\n${line}\n-----END PRIVATE KEY-----\n`).includes(line));
  });
});

describe('the variables that a file names', () => {
  it('are references in a configuration and keys in an example', () => {
    assert.deepEqual(variablesNamedIn('.npmrc', '//r/:_authToken=${NPM_TOKEN}\nalways-auth=true'), [
      'NPM_TOKEN',
    ]);
    assert.deepEqual(variablesNamedIn('compose.yaml', 'image: $IMAGE\nport: ${PORT:-80}'), ['IMAGE', 'PORT']);
    assert.deepEqual(
      variablesNamedIn('app/.env.example', 'API_KEY=\n# NOTE=\nexport DB_URL=postgres://$HOST'),
      ['API_KEY', 'DB_URL'],
    );
  });
});

describe('the variables that nobody sets for a command', () => {
  for (const name of 'PATH LD_PRELOAD LD_LIBRARY_PATH DYLD_INSERT_LIBRARIES NODE_OPTIONS BASH_ENV ENV PYTHONSTARTUP GIT_DIR GIT_SSH_COMMAND HOME PYTEST_ADDOPTS GOFLAGS MAKEFLAGS RUSTC_WRAPPER BEADSMITH_COMMAND'.split(
    ' ',
  ))
    it(`include ${name}`, () => assert.equal(isRefusedVariable(name), true));

  it('leave what projects need', () => {
    for (const name of [
      'NPM_TOKEN',
      'DOCKER_HOST',
      'SSH_AUTH_SOCK',
      'CI',
      'DATABASE_URL',
      'NODE_ENV',
      'PYTHONPATH',
    ])
      assert.equal(isRefusedVariable(name), false, name);
  });
});
