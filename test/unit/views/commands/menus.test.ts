import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { manifestSettings } from '../../../support/manifestSettings.ts';
import { ticketView as viewOf } from '../../../../src/app/tickets/ticketView.ts';
import { statuses } from '../../../../src/domain/workflow/workflow.ts';
import type { TicketView } from '../../../../src/protocol/api.ts';
import { documentScheme, draftScheme, supportScheme } from '../../../../src/protocol/schemes.ts';
import { commandId, commandNames, commandRow } from '../../../../src/views/commands/commands.ts';
import { blobAddress, diffAddress } from '../../../../src/views/review/blobAddress.ts';
import { isOffered, offeredCommands } from '../../../../src/views/commands/offered.ts';
import { ticketsViewId } from '../../../../src/views/tickets/ticketsViewId.ts';
import { factParts } from '../../../../src/views/tickets/tree/factItems.ts';
import type { BeadFact, Fact } from '../../../../src/views/tickets/tree/facts.ts';
import { Nodes } from '../../../../src/views/tickets/tree/nodes.ts';
import { repositoryParts, ticketParts } from '../../../../src/views/tickets/tree/rowItems.ts';
import { sampleSummary } from '../../../support/samples.ts';

const root = join(import.meta.dirname, '../../../..');
const Rule = z.object({ command: z.string(), when: z.string(), group: z.string().optional() });
const { contributes } = z
  .object({
    contributes: z.object({
      commands: z.array(z.object({ command: z.string(), enablement: z.string().optional() })),
      menus: z.record(z.string(), z.array(Rule)),
      keybindings: z.array(z.object({ key: z.string(), when: z.string() })),
      viewsWelcome: z.array(z.object({ when: z.string() })),
    }),
  })
  .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
const rules = Object.entries(contributes.menus).flatMap(([menu, items]) =>
  items.map((item) => ({ menu, ...item })),
);
const everyWhen = [
  ...rules.map(({ when }) => when),
  ...contributes.viewsWelcome.map(({ when }) => when),
  ...contributes.commands.flatMap(({ enablement }) => enablement ?? []),
];

interface Term {
  readonly not: boolean;
  readonly key: string;
  readonly sign: string;
  readonly value: string;
}

/** Alternatives of terms that must all be true. */
function parse(when: string): readonly (readonly Term[])[] {
  return when.split(' || ').map((all) =>
    all.split(' && ').map((term) => {
      const [, not = '', key = '', sign = '', value = ''] =
        /^(!?)([\w.]+)(?: (==|!=|=~|in) (\S.*))?$/.exec(term) ?? [];
      assert.notEqual(key, '', `"${term}" of "${when}" can't be read`);
      return { not: not !== '', key, sign, value };
    }),
  );
}

const pattern = (value: string): RegExp => new RegExp(/^\/(.*)\/$/.exec(value)?.[1] ?? '(?!)');

function isTrue(when: string, keys: Readonly<Record<string, string | boolean>>): boolean {
  return parse(when).some((all) =>
    all.every(({ not, key, sign, value }) => {
      const given = keys[key] ?? false;
      const found =
        sign === ''
          ? Boolean(given)
          : sign === '=~'
            ? pattern(value).test(String(given))
            : (given === value) === (sign === '==');
      return found !== not;
    }),
  );
}

const editorKeys = [
  'view',
  'viewItem',
  'workbenchState',
  'isWorkspaceTrusted',
  'resource',
  'resourceScheme',
  'resourceExtname',
  'resourceFilename',
  'isInDiffEditor',
  'commentController',
  'commentThread',
  'commentThreadIsEmpty',
  'comment',
  'editorHasSelection',
  'false',
];

describe('the conditions in package.json', () => {
  const code = readFileSync(join(root, 'src/views/tickets/contextKeys.ts'), 'utf8');
  const terms = everyWhen.flatMap((when) => parse(when).flat());

  it('ask for keys that the editor or the code sets, and for settings that exist', () => {
    const unknown = terms
      .map(({ key }) => key)
      .filter((key) => !editorKeys.includes(key) && !code.includes(`'${key}'`))
      .filter((key) => !(key.startsWith('config.') && key.slice('config.'.length) in manifestSettings()));
    assert.deepEqual(unknown, []);
  });

  it('compare keys with values they can have', () => {
    const [, states = ''] = /'beadsmith\.state':\s([^;]*);/.exec(code) ?? [];
    const values: Readonly<Record<string, readonly string[]>> = {
      'beadsmith.state': [...states.matchAll(/'(\w+)'/g)].map(([, state = '']) => state),
      view: [ticketsViewId],
      resourceScheme: [documentScheme, supportScheme, draftScheme, 'file'],
      resourceExtname: ['.txt'],
      resourceFilename: ['report.md', 'import.md'],
      workbenchState: ['empty'],
      commentController: ['beadsmith-review', 'beadsmith-findings', 'beadsmith-forge'],
      viewItem: ['repository', 'pullRequest', 'failedChecks'],
    };
    for (const { key, sign, value } of terms)
      if (sign === '==' || sign === '!=') assert.ok(values[key]?.includes(value), `${key} ${sign} ${value}`);
      else if (sign === '=~') assert.doesNotThrow(() => pattern(value).test(''), value);
  });

  it('name commands that exist where they match a command’s name', () => {
    for (const { key, sign, value } of terms)
      if (sign === '=~' && (key === 'beadsmith.offered' || (key === 'viewItem' && value.startsWith('/;'))))
        assert.ok(
          commandNames.some((name) => value === `/;${name};/`),
          value,
        );
  });
});

describe('the title of a diff', () => {
  const commit = 'a'.repeat(40);
  /** As the editor writes an address into its keys. */
  const keysOf = ({ scheme, authority, path, query }: ReturnType<typeof diffAddress>) => ({
    resourceScheme: scheme,
    resource: `${scheme}://${authority}${path}?${encodeURIComponent(query)}`,
    'beadsmith.offered': ';acceptBead;rejectBead;sendReview;',
    isWorkspaceTrusted: true,
  });
  const offers = (keys: Readonly<Record<string, string | boolean>>): readonly string[] =>
    rules
      .filter(
        ({ menu, when, group }) =>
          menu === 'editor/title' && group?.startsWith('navigation') && isTrue(when, keys),
      )
      .map(({ command }) => command.replace('beadsmith.', ''));
  const about = { ticket: 'TST-1', commit };
  const bead = { kind: 'bead', bead: 'greet-2' } as const;

  it('has the decisions about its bead, whether it shows one file or several', () => {
    for (const address of [
      diffAddress('/a', { ...about, scope: bead }),
      blobAddress('/a', { ...about, path: 'a "b".ts', side: 'new', scope: bead }),
      blobAddress('/a', { ...about, path: 'a.ts', side: 'old', scope: bead }),
    ])
      assert.deepEqual(offers(keysOf(address)), ['acceptBead', 'acceptAndNext', 'rejectBead', 'sendReview']);
  });

  it('has none where it shows a whole ticket, or what an iteration left', () => {
    for (const scope of [{ kind: 'ticket' }, { ...bead, kind: 'iteration', iteration: 1 }] as const)
      for (const address of [
        diffAddress('/a', { ...about, scope }),
        blobAddress('/a', { ...about, path: '%22bead%22%3A%22x%22%7D', side: 'new', scope }),
      ])
        assert.deepEqual(offers(keysOf(address)), ['sendReview']);
  });

  it('has keys that count in diffs of ours only', () => {
    const keys = keysOf(diffAddress('/a', { ...about, scope: bead }));
    const ours = contributes.keybindings.filter(({ when }) => isTrue(when, keys));
    assert.equal(ours.length, 3);
    for (const { when } of contributes.keybindings)
      assert.ok(!isTrue(when, { ...keys, resourceScheme: 'file' }), when);
  });
});

describe('the menus of the tree', () => {
  const menu = rules.filter((rule) => rule.menu === 'view/item/context');
  const tickets: readonly TicketView[] = statuses.flatMap((status) =>
    [null, 'paused', 'question', 'permission', 'quota'].flatMap((hold) =>
      [false, true].map((more) =>
        viewOf(
          sampleSummary({
            status,
            previousStatus: 'CODING',
            hold,
            errorCode: more ? 'FAILURE_NEEDS_DECISION' : null,
            continuable: more,
            openGaps: more,
            passesGates: more,
            merged: more,
            published: more,
            checksFailed: more,
            beadsDone: more ? 1 : 0,
            beadsTotal: 2,
          }),
        ),
      ),
    ),
  );
  const nodes = new Nodes();
  const contextOf = (fact: Fact): string =>
    factParts(nodes.fact({ root: '/sample', ticket: 'TST-1' }, 'key', {}), { key: 'key', fact, children: [] })
      .context;
  const bead: Omit<BeadFact, 'status' | 'offers'> = {
    kind: 'bead',
    bead: 'b',
    title: 'B',
    iteration: 1,
    stage: null,
    verdict: null,
    position: 1,
    total: 1,
    waitsFor: [],
  };
  const artifact = { artifact: 'prd', version: 1, archived: false, createdAt: 0, versions: 1 } as const;
  const others = [
    repositoryParts(nodes.repository('/sample'), 'sample').context,
    ...(['pending', 'in_progress', 'error'] as const).map((status) =>
      contextOf({ ...bead, status, offers: [] }),
    ),
    contextOf({ ...bead, status: 'done', offers: ['acceptBead', 'rejectBead'] }),
    contextOf({
      kind: 'request',
      content: { kind: 'question', questions: [] },
      offers: ['replyToAgent'],
    }),
    contextOf({ kind: 'failedChecks', checks: [], base: 'main' }),
    contextOf({ kind: 'pullRequest', look: '#1 open', location: 'https://github.com/octo/sample/pull/1' }),
    contextOf({ ...artifact, kind: 'artifact' }),
    contextOf({ ...artifact, kind: 'version' }),
  ];
  const shownFor = (viewItem: string, isWorkspaceTrusted = true) =>
    menu.filter(({ when }) => isTrue(when, { view: ticketsViewId, viewItem, isWorkspaceTrusted }));
  const nameOf = (command: string) => commandNames.find((name) => commandId(name) === command);

  it('have no rule that no row of the tree ever meets', () => {
    const met = new Set(
      [...others, ...tickets.map((view) => ticketParts(view).context)].flatMap((context) =>
        shownFor(context),
      ),
    );
    assert.deepEqual(
      menu.filter((rule) => !met.has(rule)).map(({ command, when }) => `${command}: ${when}`),
      [],
    );
  });

  it('offer no command on a ticket that would be refused, and lead to each that changes it', () => {
    for (const view of tickets) {
      const names = new Set(shownFor(ticketParts(view).context).map(({ command }) => nameOf(command)));
      const about = `${view.status}, hold ${String(view.hold)}`;
      for (const name of names) assert.ok(name && isOffered(name, view), `${String(name)} on ${about}`);
      for (const name of commandNames) {
        const isOfLines = name === 'acceptBead' || name === 'rejectBead' || commandRow(name).ofLine;
        if (commandRow(name).action && !isOfLines && isOffered(name, view))
          assert.ok(offeredCommands(view).includes(name), `${name} is missing on ${about}`);
      }
      assert.ok(names.has('whatNext'), `the list of them all is missing on ${about}`);
    }
  });

  it('are short on a ticket, whatever can be done about it', () => {
    for (const view of tickets) {
      const entries = shownFor(ticketParts(view).context).filter(
        ({ group = '' }) => !group.startsWith('inline'),
      );
      assert.ok(entries.length <= 18, `${view.status}: ${String(entries.length)}`);
    }
  });

  it('show in an untrusted workspace nothing that is off there', () => {
    const off = new Set(
      contributes.commands.flatMap(({ command, enablement }) => (enablement === undefined ? [] : [command])),
    );
    for (const context of [...others, ...tickets.map((view) => ticketParts(view).context)])
      assert.deepEqual(
        shownFor(context, false).filter(({ command }) => off.has(command)),
        [],
      );
  });

  it('have one inline action at most for each step of the way, and never the same command twice in a group', () => {
    for (const context of [...others, ...tickets.map((view) => ticketParts(view).context)]) {
      const places = shownFor(context).map(
        ({ command, group }) => `${command} ${group?.split('@')[0] ?? ''}`,
      );
      assert.equal(new Set(places).size, places.length, context);
      assert.ok(
        places.filter((place) => place.endsWith(' inline')).length <= 3,
        `${context}: ${places.join(', ')}`,
      );
    }
  });
});
