import assert from 'node:assert/strict';
import { allowlists, heldBack, slicesOf } from '../../../src/context/allowlists.ts';
import { defaultTokenBudget } from '../../../src/context/buildMinimalContext.ts';
import { cacheTtlMs } from '../../../src/context/contextCache.ts';
import { partRow } from '../../../src/context/partRow.ts';
import { sectionAllowed, sectionNames, sectionRow } from '../../../src/context/sections.ts';
import { sliceNames, slices, trimOrder } from '../../../src/context/slices.ts';
import { contextKeys, ownContextKeys, pinnedContextKeys } from '../../../src/domain/workflow/contextKeys.ts';
import { Settings } from '../../../src/domain/settings/settings.ts';
import { rowOf, statuses } from '../../../src/domain/workflow/workflow.ts';
import { contextTables, ownAllowlists } from './contextTables.ts';
import { emptyContextState } from '../../support/samples.ts';

describe('the context tables', () => {
  it('are the allowlists, verbatim', () => {
    const mine = Object.fromEntries(pinnedContextKeys.map((key) => [key, allowlists[key]]));
    assert.deepEqual(mine, contextTables.allowlists);
  });

  it('are the context keys, in order', () => {
    assert.deepEqual(sliceNames, contextTables.contextKeys);
  });

  it('are the fields of the ticket state, text or list of texts', () => {
    const fields = Object.entries(emptyContextState).map(([name, value]) => [
      name,
      Array.isArray(value) ? 'string[]' : 'string',
    ]);
    assert.deepEqual(Object.fromEntries(fields), contextTables.ticketState);
  });

  it('are the trim order, the budget and the life of the cache', () => {
    assert.deepEqual(trimOrder, contextTables.trimOrder);
    assert.equal(defaultTokenBudget, contextTables.tokenBudget);
    assert.equal(
      Settings.parse({ mainImplementer: 'provider/model' }).tokenBudget,
      contextTables.tokenBudget,
    );
    assert.equal(cacheTtlMs, contextTables.cacheTtlMs);
  });

  it('are the statuses, and those of our own', () => {
    const quick = ['PLANNING_QUICK', 'WAITING_QUICK_ANSWERS', 'WAITING_PLAN_APPROVAL'];
    const own = [
      'GENERATING_EXECUTION_SETUP_PLAN',
      'GENERATING_QA_CHECKLIST',
      'WAITING_MANUAL_QA',
      'WRITING_RETROSPECTIVE',
      'PREPARING_LOOP',
      ...quick,
    ];
    assert.deepEqual([...statuses].sort(), [...contextTables.statuses, ...own].sort());
  });
});

describe('the second table of allowlists', () => {
  it('says what our own keys may see', () => {
    assert.deepEqual(Object.fromEntries(ownContextKeys.map((key) => [key, allowlists[key]])), ownAllowlists);
  });

  it('covers every key that a status uses, and no other', () => {
    assert.deepEqual(Object.keys(allowlists).sort(), [...contextKeys].sort());
    for (const status of statuses)
      for (const key of rowOf(status).contexts) assert.ok(key in allowlists, `${status}: ${key}`);
  });
});

describe('how parts are refreshed', () => {
  it('is declared of each: from the database, but for what is read from files or asked of the machine and the clock', () => {
    const others = [...sliceNames, ...sectionNames]
      .map((name) => [name, partRow(name)?.refresh])
      .filter(([, refresh]) => refresh !== 'state');
    assert.deepEqual(Object.fromEntries(others), {
      repository_rules: 'file',
      preamble: 'file',
      change: 'file',
      changed_files: 'file',
      persona: 'file',
      rules_digest: 'file',
      target_files: 'file',
      attempt_change: 'file',
      host: 'live',
      iteration: 'live',
    });
  });

  it('lets nothing that differs from call to call stand before the last class', () => {
    for (const name of [...sliceNames, ...sectionNames])
      if (name !== 'host' && partRow(name)?.refresh === 'live')
        assert.equal(partRow(name)?.stability, 3, name);
  });
});

describe('what is held back', () => {
  it('is the interview, from the PRD draft alone', () => {
    assert.deepEqual(heldBack, { prd_draft: ['interview'] });
    assert.deepEqual(slicesOf('prd_draft'), ['relevant_files', 'ticket_details', 'full_answers']);
    assert.deepEqual(slicesOf('prd_vote'), allowlists.prd_vote);
  });
});

describe('classes', () => {
  it('never fall along a list, so that sorting by them keeps the order of the list', () => {
    for (const key of contextKeys) {
      const classes = slicesOf(key)
        .filter((name) => name !== 'ticket_details')
        .map((name) => slices[name].stability);
      assert.deepEqual(classes, classes.toSorted(), key);
    }
  });
});

describe('sections', () => {
  it('stand in the table by class, so that sorting by class keeps its order', () => {
    const classes = sectionNames.map((name) => sectionRow(name).stability);
    assert.deepEqual(classes, classes.toSorted());
  });

  it('bear names that no slice has, so that a prompt names each part once', () => {
    assert.deepEqual(
      sectionNames.filter((name) => (sliceNames as readonly string[]).includes(name)),
      [],
    );
  });

  it('name only keys that exist, have a cap, and leave the capability probe alone', () => {
    for (const name of sectionNames) {
      const { keys, cap } = sectionRow(name);
      assert.ok(cap > 0 && cap <= defaultTokenBudget / 4, `${name} has a cap of ${cap}`);
      if (keys !== 'all') for (const key of keys) assert.ok(contextKeys.includes(key), `${name}: ${key}`);
      assert.ok(!sectionAllowed(name, 'capability_probe'));
    }
  });

  it('let coding see the bead, its notes, and what is declared for it', () => {
    assert.deepEqual(slicesOf('coding'), ['bead_data', 'bead_notes']);
    assert.deepEqual(
      sectionNames.filter((name) => sectionAllowed(name, 'coding')),
      [
        'workspace',
        'change_proposal',
        'repository_rules',
        'ticket_handoff',
        'host',
        'kickoff_insights',
        'preamble',
        'place_in_plan',
        'prd_parts',
        'target_files',
        'history',
        'handoff',
        'retry_hint',
        'added_context',
        'user_context',
        'last_turns',
        'failing_evidence',
        'pass_report',
        'iteration',
        'report_nonce',
        'rules_digest',
      ],
    );
  });
});
