import assert from 'node:assert/strict';
import { documentsOf, previousOf, versionsOf } from '../../../../src/views/documents/documentTypes.ts';
import type { ArtifactInfo } from '../../../../src/domain/ticket/artifacts.ts';
import { sampleArtifact } from '../../../support/samples.ts';

describe('documentsOf', () => {
  it('lists present documents in the order of the work, and leaves out archived and internal ones', () => {
    const artifacts = [
      { type: 'prd', archived: false },
      { type: 'prd_drafts', archived: false },
      { type: 'interview', archived: false },
      { type: 'execution_setup_plan', archived: true },
    ];
    assert.deepEqual(documentsOf(0, artifacts), ['interview', 'prd']);
    assert.deepEqual(documentsOf(3, artifacts), ['interview', 'prd', 'beads']);
  });
});

const info = (version: number, archived: boolean, type = 'prd'): ArtifactInfo =>
  sampleArtifact({ id: version, type, status: 'REFINING_PRD', version, archived, createdAt: version });

describe('versions of a document', () => {
  const all = [info(1, true), info(2, false), info(3, false), info(9, false, 'beads')];

  it('are listed newest first, and one of them counts now', () => {
    assert.deepEqual(
      versionsOf(all, 'prd').map(({ version, present, archived }) => [version, present, archived]),
      [
        [3, true, false],
        [2, false, false],
        [1, false, true],
      ],
    );
  });

  it('of a document without a gate are those of its artifact', () => {
    const receipts = [info(1, false, 'limits_receipt'), info(2, false, 'limits_receipt')];
    assert.deepEqual(
      versionsOf(receipts, 'ticket_limits').map(({ version }) => version),
      [2, 1],
    );
    assert.deepEqual(documentsOf(0, receipts), ['ticket_limits']);
  });

  it('may all be archived, and then none counts', () => {
    assert.ok(!versionsOf([info(1, true)], 'prd').some(({ present }) => present));
  });

  it('are compared with the one before, also across attempts', () => {
    const versions = versionsOf(all, 'prd');
    assert.equal(previousOf(versions, 3)?.version, 2);
    assert.equal(previousOf(versions, 2)?.version, 1);
    assert.equal(previousOf(versions, 1), undefined);
  });
});
