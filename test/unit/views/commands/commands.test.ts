import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { rowOf, statuses } from '../../../../src/domain/workflow/workflow.ts';
import {
  commandId,
  type CommandName,
  commandNames,
  commandRow,
  needsTrust,
} from '../../../../src/views/commands/commands.ts';
import { furtherCommands, offeredCommands } from '../../../../src/views/commands/offered.ts';
import { ticketView } from '../../../support/fakes/fakeClient.ts';
import { manifestSettings } from '../../../support/manifestSettings.ts';

const root = join(import.meta.dirname, '../../../..');
const text = (file: string): string => readFileSync(join(root, file), 'utf8');
const MenuItem = z.object({ command: z.string(), when: z.string() });
const manifest = z
  .object({
    contributes: z.object({
      commands: z.array(
        z.object({ command: z.string(), title: z.string(), enablement: z.string().optional() }),
      ),
      menus: z.record(z.string(), z.array(MenuItem)),
      viewsWelcome: z.array(z.object({ contents: z.string(), when: z.string() })),
    }),
    capabilities: z.object({
      untrustedWorkspaces: z.object({ restrictedConfigurations: z.array(z.string()) }),
    }),
  })
  .parse(JSON.parse(text('package.json')));
const texts = z.record(z.string(), z.string()).parse(JSON.parse(text('package.nls.json')));
const { commands, menus, viewsWelcome } = manifest.contributes;
const paletteRules = new Map((menus['commandPalette'] ?? []).map(({ command, when }) => [command, when]));

describe('the commands', () => {
  it('are the same in the table and in package.json', () => {
    assert.deepEqual(
      commands.map(({ command }) => command),
      commandNames.map(commandId),
    );
  });

  it('that change or run something are off while the workspace is not trusted, and only those', () => {
    const off = commands
      .filter(({ enablement }) => enablement === 'isWorkspaceTrusted')
      .map(({ command }) => command);
    assert.deepEqual(off, commandNames.filter(needsTrust).map(commandId));
  });

  it('about tickets are hidden from the palette where no ticket wants them, and never before the tickets are known', () => {
    for (const name of commandNames) {
      const { target, action, needs, menuOnly } = commandRow(name);
      if (target !== 'ticket' || menuOnly) continue;
      const when = paletteRules.get(commandId(name)) ?? '';
      const before = 'workbenchState != empty && !beadsmith.offered || ';
      assert.ok(when.startsWith(before), `${name}: ${when}`);
      if ((action ?? needs) !== undefined) assert.equal(when, `${before}beadsmith.offered =~ /;${name};/`);
    }
  });

  it('that need a repository are in no palette of a window without a folder', () => {
    const always = commandNames.filter((name) => !paletteRules.has(commandId(name)));
    assert.deepEqual(always.toSorted(), [
      'checkSetup',
      'installOpencode',
      'openWalkthrough',
      'overridePrompt',
      'removeDemo',
      'reportIssue',
      'showLog',
      'tryDemo',
    ]);
    const rules = [...paletteRules.values()].filter((rule) => rule !== 'false');
    // What is offered is known only where a folder is open.
    const ofFolder = /^(?:workbenchState != empty|beadsmith\.state == ready|config\.)/;
    assert.deepEqual(
      rules.filter((rule) => !ofFolder.test(rule)),
      [],
    );
  });

  it('are at most 40 in the palette, and each other one has a place in a menu or a list', () => {
    const hidden = commandNames.filter((name) => paletteRules.get(commandId(name)) === 'false');
    assert.ok(commandNames.length - hidden.length <= 40, String(commandNames.length - hidden.length));
    const inMenus = new Set(
      Object.entries(menus).flatMap(([menu, items]) =>
        menu === 'commandPalette' ? [] : items.map(({ command }) => command),
      ),
    );
    // A line at the end of the tree runs it.
    const placed = (name: CommandName): boolean => inMenus.has(commandId(name)) || name === 'loadMore';
    assert.deepEqual(
      hidden.filter((name) => !placed(name) && commandRow(name).target !== 'ticket'),
      [],
    );
    const listed = statuses.flatMap((status) =>
      [false, true].flatMap((passesGates) => {
        const blocked = { previousStatus: 'CODING', errorCode: 'BEAD_DEADLOCK' } as const;
        const view = ticketView({
          status,
          beadsDone: 1,
          openGaps: true,
          passesGates,
          onForge: true,
          merged: true,
          published: passesGates,
          checksFailed: true,
          mergePlanned: true,
          ...blocked,
        });
        return [...offeredCommands(view), ...furtherCommands(view)];
      }),
    );
    assert.deepEqual(
      hidden.filter((name) => commandRow(name).target === 'ticket' && !listed.includes(name)),
      [],
    );
  });

  it('cover every action a gate offers, or are known to be missing', () => {
    // One command answers agents, and edits are written in documents.
    const elsewhere = ['edit', 'permission_reply'];
    const covered = commandNames.flatMap((name) => commandRow(name).action ?? []);
    const actions = new Set(statuses.flatMap((status) => Object.keys(rowOf(status).actions)));
    assert.deepEqual(
      [...actions].filter((action) => !elsewhere.includes(action) && !covered.some((one) => one === action)),
      [],
    );
  });

  it('are the only ones that menus and welcome texts name', () => {
    const known = commandNames.map(String).map((name) => `beadsmith.${name}`);
    const inMenus = Object.values(menus).flatMap((items) => items.map(({ command }) => command));
    const inTexts = Object.values(texts).flatMap((value) =>
      [...value.matchAll(/command:(beadsmith\.\w+)/g)].map(([, name]) => name ?? ''),
    );
    assert.deepEqual(
      [...inMenus, ...inTexts].filter((command) => !known.includes(command)),
      [],
    );
  });

  it('are written nowhere else in the code', () => {
    const files = globSync('src/{views,host}/**/*.ts', { cwd: root }).filter(
      (file) => !file.endsWith('commands.ts'),
    );
    const literal = /(?:executeCommand|registerCommand|command:)\s*\(?\s*['"`]beadsmith\./;
    assert.deepEqual(
      files.filter((file) => literal.test(text(file))),
      [],
    );
  });

  it('appear in the menu of a ticket exactly when its status has their action', () => {
    for (const { command, when } of menus['view/item/context'] ?? []) {
      const action = commandNames.find((name) => commandId(name) === command);
      const asked = /viewItem =~ \/;(\w+);\//.exec(when)?.[1];
      if (asked !== undefined) assert.equal(asked, action, `${command}: ${when}`);
    }
  });
});

describe('package.json', () => {
  it('has a text for every key, and no text that nobody asks for', () => {
    const asked = [...text('package.json').matchAll(/"%([^%"]+)%"/g)].map(([, key]) => key ?? '');
    assert.deepEqual([...new Set(asked)].sort(), Object.keys(texts).sort());
  });

  it('asks only for context keys that the code sets', () => {
    const code = text('src/views/tickets/contextKeys.ts');
    const rules = [...viewsWelcome, ...Object.values(menus).flat()];
    const asked = rules
      .flatMap(({ when }) => [...when.matchAll(/(?<!config\.)\bbeadsmith\.\w+/g)].map(([key]) => key))
      .filter((key) => key !== 'beadsmith.tickets');
    assert.deepEqual(
      asked.filter((key) => !code.includes(`'${key}'`)),
      [],
    );
  });

  it('lets no repository say what is run on this machine', () => {
    const { restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
    // A setting of the application is the user's alone.
    for (const [name, { scope }] of Object.entries(manifestSettings()).filter(
      ([, one]) => one.scope !== 'application',
    ))
      assert.ok(
        name.startsWith('beadsmith.opencode.')
          ? scope === 'machine'
          : restrictedConfigurations.includes(name),
        name,
      );
  });
});
