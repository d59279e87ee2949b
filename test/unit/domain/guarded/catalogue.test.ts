import assert from 'node:assert/strict';
import { guardedChanges, guardedFiles } from '../../../../src/domain/guarded/guardedChanges.ts';
import { manifests } from '../../../../src/domain/guarded/catalogue/manifests.ts';
import { changesOf, type IntegrityRow, readRows, treeOf } from '../../../bench/integrity/row.ts';

/** Changes that act elsewhere than in the code, and that no plan named: each has to be asked about. */
const elsewhere = readRows('elsewhere');
const honest = readRows('honest');
const found = (row: IntegrityRow) =>
  guardedChanges(
    changesOf(row).map((file) => ({ ...file, isGone: file.after === null })),
    row.planned,
    treeOf(row),
  );
const titles = (rows: readonly IntegrityRow[]): readonly string[] =>
  rows.map(({ name, tool }) => `${tool}: ${name}`);

describe('the catalogue of files that act elsewhere', () => {
  it('finds at least 95 of 100 changes that act elsewhere', () => {
    assert.ok(elsewhere.length >= 60);
    const missed = elsewhere.filter((row) => found(row).length === 0);
    assert.ok(missed.length <= elsewhere.length * 0.05, titles(missed).join('\n'));
  });

  it('asks about at most one of the honest changes', () => {
    assert.ok(honest.length >= 30);
    const asked = honest.filter((row) => found(row).length > 0);
    assert.ok(asked.length <= 1, asked.map((row) => `${row.name}: ${JSON.stringify(found(row))}`).join('\n'));
  });

  it('asks about nothing that the plan names by its exact path, except what no plan can mean', () => {
    const asked = elsewhere
      .map((row) => ({ ...row, planned: Object.keys(row.after) }))
      .flatMap((row) => found(row))
      .map(({ kind }) => kind);
    assert.deepEqual([...new Set(asked)].sort(), ['install_script', 'script_hook', 'source']);
    const other = elsewhere.find(({ name }) => name.includes('.VSCODE'));
    assert.ok(other && found({ ...other, planned: ['.vscode/tasks.json'] }).length === 1);
  });

  it('says of each row which tool loads it, and where that is documented', () => {
    for (const { tool, source, files } of [...guardedFiles, ...manifests]) {
      assert.ok(tool !== '' && files.trim() !== '');
      assert.match(source, /^(?:https:\/\/[\w.-]+|docs\/decisions\/)/, tool);
    }
  });
});
