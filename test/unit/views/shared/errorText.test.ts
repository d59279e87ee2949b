import assert from 'node:assert/strict';
import { because } from '../../../../src/domain/forge/forgeReasons.ts';
import { BeadsmithError, errorRecord } from '../../../../src/domain/core/errors.ts';
import { errorText, RefusedAction } from '../../../../src/views/shared/errorText.ts';
import { l10n } from '../../../support/fakes/fakeEditor.ts';

describe('errors in the language of the person', () => {
  const english = l10n.t;
  const error = new BeadsmithError('FORGE_REFUSED', {
    host: 'github.com',
    ...because('noBase', { repository: 'octo/sample', base: 'main', remote: 'origin' }),
  });

  before(() => {
    const french: Readonly<Record<string, string>> = {
      '{host} refused the request: {reason}': '{host} a refusé : {reason}',
      '{repository} has no branch "{base}".': '{repository} n’a pas de branche « {base} ».',
      'Push that branch first, with "git push {remote} {base}", then try again.':
        'Faites « git push {remote} {base} ».',
      'these files conflict: {files}.': 'ces fichiers sont en conflit : {files}.',
    };
    l10n.t = (text, ...args) => english(typeof text === 'string' ? (french[text] ?? text) : text, ...args);
  });
  after(() => (l10n.t = english));

  it('have their reason and remedy in it, too', () => {
    assert.deepEqual(errorText(error), {
      message: 'github.com a refusé : octo/sample n’a pas de branche « main ».',
      nextStep: 'Faites « git push origin main ».',
    });
    assert.equal(error.message, 'github.com refused the request: octo/sample has no branch "main".');
  });

  it('have the reason of a merge in it as well', () => {
    const refused = new BeadsmithError('MERGE_REFUSED', {
      base: 'main',
      ...because('filesConflict', { files: 'a.txt' }),
    });
    assert.match(errorText(refused).message, /ces fichiers sont en conflit : a\.txt\.$/);
  });

  it('are said in it where the driver refused an action', () => {
    const record = errorRecord(error);
    const refused = new RefusedAction({ code: error.code, message: error.message, error: record });
    assert.equal(
      refused.message,
      'github.com a refusé : octo/sample n’a pas de branche « main ». Faites « git push origin main ».',
    );
    assert.equal(
      new RefusedAction({ code: 'X', message: 'As the driver says.' }).message,
      'As the driver says.',
    );
  });

  it('keep what others said as it is, also where it looks like a hole', () => {
    const said = because('refused', { said: 'Validation failed: {base}' });
    const other = new BeadsmithError('FORGE_REFUSED', { host: 'github.com', base: 'main', ...said });
    assert.match(errorText(other).message, /Validation failed: \{base\}$/);
  });
});
