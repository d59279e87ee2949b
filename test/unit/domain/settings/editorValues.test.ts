import assert from 'node:assert/strict';
import * as z from 'zod';
import {
  type EditorValue,
  editorValue,
  editorValues,
  fieldsOf,
} from '../../../../src/domain/settings/editorValues.ts';
import { bare } from '../../../../src/domain/settings/optionText.ts';
import { type SettingField, settingName, settingRow } from '../../../../src/domain/settings/rows.ts';
import { Limits } from '../../../../src/domain/settings/settings.ts';
import { manifestSettings } from '../../../support/manifestSettings.ts';

const manifest = manifestSettings();
const usual: EditorValue = (name) => manifest[`beadsmith.${name}`]?.['default'];
/** The editor with one setting that a person wrote. */
const having =
  (written: string, value: unknown): EditorValue =>
  (name) =>
    name === written ? value : usual(name);
const read = (field: SettingField, get: EditorValue): unknown =>
  editorValue(field, settingRow(field).schema, get);
const withDefault = [...fieldsOf('settings'), ...fieldsOf('limits')].filter(
  (field) => field !== 'mainImplementer',
);

describe('the values of settings', () => {
  for (const field of withDefault)
    it(`of ${settingName(field)} have the default that the field has, and are refused with their name`, () => {
      const { setting = field, property, schema, budget } = settingRow(field);
      assert.deepEqual(read(field, usual), schema.parse(undefined));
      if (budget) return;
      const wrong =
        bare(schema) instanceof z.ZodBoolean ? 'yes' : bare(schema) instanceof z.ZodArray ? ['<'] : -1.5;
      const value = property === undefined ? wrong : { [property]: wrong };
      assert.throws(() => read(field, having(setting, value)), {
        code: 'INVALID_INPUT',
        message: new RegExp(`beadsmith\\.${settingName(field).replaceAll('.', '\\.')}`),
      });
    });

  it('in seconds become milliseconds', () => {
    const { commandTimeout, providerWait } = Limits.parse(
      editorValues(fieldsOf('limits'), (name) =>
        name === 'timeouts' ? { command: 90 } : name === 'providerOutage' ? { wait: 0 } : usual(name),
      ),
    );
    assert.deepEqual([commandTimeout, providerWait], [90_000, 0]);
  });

  it('of an object are refused when they have a property that nobody knows, or are no object', () => {
    assert.throws(() => read('commandTimeout', having('timeouts', { comand: 90 })), {
      code: 'INVALID_INPUT',
      message: /beadsmith\.timeouts.*"comand".*iteration, command, setup, answer, optionalPhase/,
    });
    assert.throws(() => read('commandTimeout', having('timeouts', 90)), { message: /beadsmith\.timeouts/ });
  });
});

describe('budgets', () => {
  const limits = (list: unknown): Limits =>
    Limits.parse(editorValues(fieldsOf('limits'), having('budgets', list)));

  it('are one list, in tokens, dollars and minutes', () => {
    const { tokenCap, costCap, timeCap, beadCostCap, dayTokenCap, optionalPhaseTokens, optionalPhaseCents } =
      limits([
        { per: 'ticket', tokens: 5_000, dollars: 12.5, minutes: 90 },
        { per: 'bead', dollars: 0.07 },
        { per: 'day', tokens: 0 },
        { per: 'optionalPhase', dollars: 1 },
      ]);
    assert.deepEqual([tokenCap, costCap, timeCap, beadCostCap, dayTokenCap], [5_000, 1_250, 90, 7, 0]);
    assert.deepEqual(
      [optionalPhaseTokens, optionalPhaseCents],
      [500_000, 100],
      'what isn’t named has its default',
    );
  });

  for (const [list, said] of [
    [[{ per: 'week', tokens: 1 }], /0\.per/],
    [[{ per: 'bead', token: 1 }], /token/],
    [[{ per: 'bead', dollars: 0.005 }], /0\.dollars/],
    [[{ per: 'bead', tokens: -1 }], /0\.tokens/],
    [[{ per: 'bead' }, { per: 'bead', tokens: 1 }], /one entry/],
    [[{ per: 'optionalPhase', minutes: 1 }], /beadsmith\.timeouts/],
    [{ ticket: 5 }, /array/],
  ] as const)
    it(`that make no sense are refused: ${JSON.stringify(list)}`, () => {
      assert.throws(() => limits(list), { code: 'INVALID_INPUT', message: said });
      assert.throws(() => limits(list), { message: /beadsmith\.budgets/ });
    });
});
