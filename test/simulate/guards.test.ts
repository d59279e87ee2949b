import assert from 'node:assert/strict';
import type { Change, JournalEntry, Transaction } from '../../src/engine/ports/storePort.ts';
import { simulate } from './simulation.ts';
import type { Tampering } from './world/world.ts';

/** Seeds tried until what is broken shows. */
const mostSeeds = 80;

function committing(change: (transaction: Transaction) => Transaction): Tampering {
  return { before: (method, args) => (method === 'commit' ? [change(args[0] as Transaction)] : args) };
}

function journalOf(change: (entries: readonly JournalEntry[]) => readonly JournalEntry[]): Tampering {
  return committing((transaction) => ({ ...transaction, journal: change(transaction.journal) }));
}

function changesOf(change: (changes: readonly Change[]) => readonly Change[]): Tampering {
  return committing((transaction) => ({ ...transaction, changes: change(transaction.changes ?? []) }));
}

/** How each rule is broken, and what the checks say of it. */
const broken: Readonly<Record<string, { readonly tampering: Tampering; readonly says: RegExp }>> = {
  'a receipt is dropped': {
    tampering: journalOf((entries) =>
      entries.filter((entry) => entry.kind !== 'step.done' || entry.key !== 'head'),
    ),
    says: /head has no receipt/,
  },
  'a prompt is sent twice': {
    tampering: {
      world: ({ server }) => {
        const receive = server.receive.bind(server);
        server.receive = (session, request, asking) => {
          const first = receive(session, request, asking);
          if (request.text.includes('PRE_FLIGHT_CHECK')) receive(session, request, asking);
          return first;
        };
      },
    },
    says: /got a prompt while it worked on one|was sent twice/,
  },
  'an intent is not written first': {
    tampering: journalOf((entries) => entries.filter((entry) => entry.kind !== 'step.note')),
    says: /was sent without a note/,
  },
  'a decision is lost': {
    tampering: {
      before: (method, args, { database }) => {
        if (method === 'commit') database.run("DELETE FROM inbox WHERE kind = 'approve'");
        return args;
      },
    },
    says: /was acknowledged, and is lost/,
  },
  'a decision is taken twice': {
    tampering: journalOf((entries) =>
      entries.flatMap((entry): readonly JournalEntry[] =>
        entry.kind === 'inbox' ? [entry, entry] : [entry],
      ),
    ),
    says: /was taken 2 times/,
  },
  'a decision is taken and stays': {
    tampering: changesOf((changes) => changes.filter(({ type }) => type !== 'inbox')),
    says: /is pending, and was taken/,
  },
  'an approval is of other bytes': {
    tampering: changesOf((changes) =>
      changes.map((change) =>
        change.type === 'artifact' && change.artifact === 'approval_receipt'
          ? {
              ...change,
              content: change.content.replace(
                /"content_sha256": "[0-9a-f]{8}/,
                '"content_sha256": "00000000',
              ),
            }
          : change,
      ),
    ),
    says: /is of nothing that was there/,
  },
  'an untested tree is delivered': {
    tampering: { world: ({ repository }) => void (repository.test = () => true) },
    says: /never tested/,
  },
  'a reset keeps nothing': {
    tampering: { world: ({ repository }) => void (repository.keep = () => repository.root) },
    says: /which no ref keeps/,
  },
  'the base moves without a merge': {
    tampering: {
      before: (method, args, { repository }) => {
        const tip = repository.refs.get('refs/heads/ticket/SIM-1');
        if (method === 'commit' && tip !== undefined && tip !== repository.root)
          repository.refs.set('refs/heads/main', tip);
        return args;
      },
    },
    says: /nobody asked for a merge/,
  },
  'beads are done out of order': {
    tampering: committing((transaction) => {
      const started = transaction.changes?.find(
        (change) => change.type === 'bead' && change.set.status === 'in_progress',
      );
      const others = ['bead-2', 'bead-3'].map((id): Change => ({
        type: 'bead',
        id,
        set: { status: 'done' },
      }));
      return started ? { ...transaction, changes: [...(transaction.changes ?? []), ...others] } : transaction;
    }),
    says: /which it waits for|no commit of the branch is its/,
  },
  'tokens are not counted': {
    tampering: changesOf((changes) => changes.filter(({ type }) => type !== 'usage')),
    says: /its tokens are not counted/,
  },
  'a ticket takes a way that the table does not have': {
    tampering: committing((transaction) => {
      if (!transaction.journal.some((entry) => entry.kind === 'status' && entry.from === 'PRE_FLIGHT_CHECK'))
        return transaction;
      return {
        ...transaction,
        journal: transaction.journal.map((entry) =>
          entry.kind === 'status' ? { ...entry, to: 'PREPARING_EXECUTION_ENV' } : entry,
        ),
        changes: (transaction.changes ?? []).map((change) =>
          change.type === 'ticket' && change.set.status
            ? { ...change, set: { ...change.set, status: 'PREPARING_EXECUTION_ENV' } }
            : change,
        ),
      };
    }),
    says: /is no edge of the table/,
  },
  'the journal is rewritten': {
    tampering: {
      before: (method, args, { database }) => {
        if (method === 'commit') database.run('UPDATE journal SET at = at + 1 WHERE seq = 5');
        return args;
      },
    },
    says: /the journal of SIM-1 is broken at 5/,
  },
  'a process that was replaced still writes': {
    tampering: {
      before: (method, args, { database }, { epoch }) => {
        if (method === 'commit') database.run("UPDATE meta SET value = ? WHERE key = 'epoch'", String(epoch));
        return args;
      },
    },
    says: /wrote although another one drives|was written by driver/,
  },
};

describe('the checks of the simulation', function () {
  this.timeout(120_000);

  for (const [what, { tampering, says }] of Object.entries(broken))
    it(`notice when ${what}`, async () => {
      const problems: string[] = [];
      for (let seed = 1; seed <= mostSeeds && !problems.some((problem) => says.test(problem)); seed++)
        problems.push(...(await simulate(seed, tampering)).problems);
      assert.ok(
        problems.some((problem) => says.test(problem)),
        `${String(mostSeeds)} seeds, and only: ${problems.slice(0, 5).join('; ')}`,
      );
    });
});
