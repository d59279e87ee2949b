import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { manifestFiles } from '../../.build/manifest.mjs';
import { manifestSettings } from '../support/manifestSettings.ts';

const root = join(import.meta.dirname, '../..');
const text = (file: string): string => readFileSync(join(root, file), 'utf8');

const Icon = z.union([z.string(), z.object({ light: z.string(), dark: z.string() })]);
const MenuItem = z.looseObject({
  command: z.string().optional(),
  submenu: z.string().optional(),
  when: z.string().optional(),
  group: z.string().optional(),
});
const Command = z.object({
  command: z.string(),
  title: z.string(),
  category: z.string(),
  icon: Icon.optional(),
});
const View = z.looseObject({
  id: z.string(),
  name: z.string(),
  icon: z.string(),
  type: z.string().optional(),
});
const Step = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string(),
  media: z.object({ svg: z.string(), altText: z.string() }),
  completionEvents: z.array(z.string()),
});
const Walkthrough = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string(),
  icon: z.string(),
  steps: z.array(Step),
});
const Manifest = z.looseObject({
  icon: z.string(),
  activationEvents: z.array(z.string()),
  extensionKind: z.array(z.string()),
  categories: z.array(z.string()),
  enabledApiProposals: z.array(z.string()).optional(),
  capabilities: z.object({
    untrustedWorkspaces: z.object({ supported: z.literal('limited'), description: z.string() }),
    virtualWorkspaces: z.object({ supported: z.literal(false), description: z.string() }),
  }),
  contributes: z.looseObject({
    viewsContainers: z.record(
      z.string(),
      z.array(z.object({ id: z.string(), title: z.string(), icon: z.string() })),
    ),
    views: z.record(z.string(), z.array(View)),
    viewsWelcome: z.array(z.object({ contents: z.string(), when: z.string() })),
    walkthroughs: z.array(Walkthrough),
    commands: z.array(Command),
    menus: z.record(z.string(), z.array(MenuItem)),
    keybindings: z.array(z.looseObject({ key: z.string(), when: z.string().min(1) })).optional(),
    configuration: z.array(z.object({ title: z.string(), properties: z.record(z.string(), z.unknown()) })),
  }),
});
const manifest = Manifest.parse(JSON.parse(text('package.json')));
const { contributes } = manifest;
const settings = manifestSettings();
const texts = z.record(z.string(), z.string()).parse(JSON.parse(text('package.nls.json')));
const shown = (key: string): string => texts[key.replaceAll('%', '')] ?? key;
const views = Object.values(contributes.views).flat();
const sources = globSync('{src,webview-ui}/**/*.{ts,tsx,css}', { cwd: root }).filter(
  (file) => !file.endsWith('.d.ts'),
);
const inEditor = sources.filter((file) => /^(src.(views|host)|webview-ui).|^src.extension\.ts$/.test(file));
const saying = (pattern: RegExp, files = inEditor): string[] =>
  files.filter((file) => pattern.test(text(file)));

describe('what package.json promises', () => {
  it('has the settings of their rows, with their sentences, and so has docs/settings.md (node .build/manifest.mjs)', async () => {
    for (const [file, content] of Object.entries(await manifestFiles()))
      assert.equal(text(file), content, file);
  });

  it('shows ten settings at first, in five groups, and the others on demand', () => {
    assert.equal(contributes.configuration.length, 5);
    const first = Object.values(settings).filter(({ tags = [] }) => !tags.includes('advanced'));
    assert.equal(first.length, 10);
  });

  it('wakes the extension for its own views, commands, pages and documents only', () => {
    // Views, commands and walkthroughs wake it by themselves; the folder of a demo does by a file that only
    // we write.
    const own =
      /^on(?:WebviewPanel:beadsmith\.|FileSystem:beadsmith(?:-\w+)?$|Walkthrough:|Uri$)|^workspaceContains:\.git\/beadsmith\/demo\.json$/;
    assert.deepEqual(
      manifest.activationEvents.filter((event) => !own.test(event)),
      [],
    );
  });

  it('uses no proposed API', () => {
    assert.equal(manifest.enabledApiProposals, undefined);
  });

  it('runs where the repository is', () => {
    assert.deepEqual(manifest.extensionKind, ['workspace']);
  });

  it('says what it does in an untrusted and in a virtual workspace, in words that can be translated', () => {
    const { untrustedWorkspaces, virtualWorkspaces } = manifest.capabilities;
    for (const { description } of [untrustedWorkspaces, virtualWorkspaces])
      assert.ok(`%${description.replaceAll('%', '')}%` === description && shown(description).length > 20);
  });

  it('has trees for views, few, each with a short name and an icon', () => {
    assert.ok(views.length <= 3);
    for (const { name, icon, type, id } of views) {
      assert.ok(type === undefined || type === 'tree', id);
      assert.ok(shown(name).length <= 20, id);
      assert.ok(existsSync(join(root, icon)) || /^\$\([\w-]+\)$/.test(icon), id);
    }
  });

  it('has an icon of one colour, the theme’s, in the activity bar', () => {
    for (const { icon } of Object.values(contributes.viewsContainers).flat()) {
      const colours = [...text(icon).matchAll(/(?:fill|stroke)="([^"]+)"/g)].map(([, colour]) => colour);
      assert.deepEqual(
        [...new Set(colours)].filter((colour) => colour !== 'currentColor' && colour !== 'none'),
        [],
      );
    }
  });

  it('takes the icons of commands from the product', () => {
    // An editor's title shows pictures only where there is no product icon for it; those come for both kinds
    // of themes.
    for (const { icon, command } of contributes.commands)
      if (typeof icon === 'string') assert.match(icon, /^\$\([\w~-]+\)$/, command);
      else if (icon)
        for (const file of [icon.light, icon.dark]) assert.ok(existsSync(join(root, file)), command);
  });

  it('has a welcome text for every state in which the tree is empty', () => {
    const [, line = ''] =
      /readonly 'beadsmith\.state':\s([^;]*);/.exec(text('src/views/tickets/contextKeys.ts')) ?? [];
    const states = [...line.matchAll(/'(\w+)'/g)].map(([, state]) => state ?? '');
    assert.ok(states.includes('empty'));
    for (const state of states.filter((name) => !['idle', 'opening', 'ready', 'noFolder'].includes(name)))
      assert.ok(
        contributes.viewsWelcome.some(({ when }) => when.includes(`beadsmith.state == ${state} `)),
        state,
      );
    for (const condition of [/workbenchState == empty/, /!isWorkspaceTrusted/])
      assert.ok(contributes.viewsWelcome.some(({ when }) => condition.test(when)));
    for (const { contents } of contributes.viewsWelcome) {
      const buttons = shown(contents)
        .split('\n')
        .filter((line) => /^\[[^\]]+\]\([^)]+\)$/.test(line));
      assert.ok(buttons.length >= 1 && buttons.length <= 3, contents);
    }
  });

  it('names commands clearly, in one category, without pictures', () => {
    for (const { title, category, command } of contributes.commands) {
      assert.equal(category, 'Beadsmith', command);
      assert.match(shown(title), /^[A-Z][\p{L} ,’'-]+…?$/u, command);
      assert.ok(shown(title).length <= 50, command);
    }
    const names = contributes.commands.map(({ title }) => shown(title));
    assert.equal(new Set(names).size, names.length);
  });

  it('takes no key without a condition', () => {
    for (const { when } of contributes.keybindings ?? []) assert.match(when, /beadsmith|resourceScheme/);
  });

  it('offers commands in context menus only where they apply, in groups', () => {
    for (const [menu, items] of Object.entries(contributes.menus)) {
      if (menu === 'commandPalette') continue;
      for (const item of items) {
        const name = `${menu}: ${item.command ?? item.submenu ?? ''}`;
        assert.ok(item.when !== undefined && item.when.length > 0, name);
        assert.ok(item.group !== undefined || menu.startsWith('beadsmith.'), name);
        if (menu === 'view/item/context') assert.match(item.when, /viewItem/, name);
      }
    }
  });

  it('orders settings, each in its own place, and says of each what it does', () => {
    const orders = Object.values(settings).map(({ order }) => order);
    assert.equal(new Set(orders).size, orders.length);
    for (const [name, property] of Object.entries(settings)) {
      assert.match(name, /^beadsmith(\.[a-z][A-Za-z]*){1,2}$/);
      const description = property['markdownDescription'] ?? property['description'];
      assert.ok(typeof description === 'string' && /^%.+%$/.test(description), name);
      assert.ok(shown(description).length <= 300, name);
      const values = property['enum'];
      if (Array.isArray(values))
        assert.equal(
          Array.isArray(property['enumDescriptions']) && property['enumDescriptions'].length,
          values.length,
          name,
        );
    }
  });

  it('leads from setting to setting by names that exist', () => {
    const links = Object.entries(texts).flatMap(([key, value]) =>
      [...value.matchAll(/`#([\w.]+)#`/g)].map(([, name]) => [key, name ?? '']),
    );
    assert.ok(links.length > 5);
    assert.deepEqual(
      links.filter(([, name]) => !((name ?? '') in settings)),
      [],
    );
  });
});

describe('the walkthrough', () => {
  const [walkthrough] = contributes.walkthroughs;
  const steps = walkthrough?.steps ?? [];

  it('has few steps, each with a title that begins with a verb, and a way to do what it is about', () => {
    assert.equal(contributes.walkthroughs.length, 1);
    assert.ok(steps.length >= 4 && steps.length <= 6);
    assert.equal(new Set(steps.map(({ id }) => id)).size, steps.length);
    for (const { title, description, media } of steps) {
      assert.match(shown(title), /^(?:Open|Install|Choose|Create|Try) [\p{L} ,]+$/u);
      const lines = shown(description).split('\n');
      assert.ok(
        lines.some((line) => /^\[[^\]]+\]\(command:[^)]+\)$/.test(line)),
        `${shown(title)} has a button`,
      );
      for (const key of [title, description, media.altText]) assert.ok(key.replaceAll('%', '') in texts, key);
    }
  });

  it('ends each step by itself, by commands, views and settings that exist', () => {
    const known = {
      onCommand: contributes.commands.map(({ command }) => command),
      onView: views.map(({ id }) => id),
      onSettingChanged: Object.keys(settings),
    };
    for (const { id, completionEvents } of steps) {
      assert.ok(completionEvents.length > 0, id);
      for (const event of completionEvents) {
        const [kind = '', name = ''] = event.split(':');
        if (kind === 'onContext' && /^beadsmith\.state (?:==|=~) /.test(name)) continue;
        assert.ok(kind in known && known[kind as keyof typeof known].includes(name), event);
      }
    }
  });

  it('ends what was done before, by what is true', () => {
    const told = (id: string): string[] =>
      (steps.find((step) => step.id === id)?.completionEvents ?? []).filter((event) =>
        event.startsWith('onContext:'),
      );
    // `empty` says that everything is there, OpenCode included.
    assert.deepEqual(told('opencode'), ['onContext:beadsmith.state == empty']);
    assert.match(told('models').join(), /empty\|ready.*!beadsmith\.noModel$/);
    assert.deepEqual(told('ticket'), ['onContext:beadsmith.state == ready']);
  });

  it('begins with the demo, which needs no key', () => {
    assert.ok(shown(steps[0]?.description ?? '').includes('(command:beadsmith.tryDemo)'));
  });

  it('has pictures in the colours of the theme alone, without a word that could not be translated', () => {
    for (const { media } of steps) {
      const picture = text(media.svg);
      const colours = [...picture.matchAll(/(?:fill|stroke)="([^"]+)"/g)].map(([, colour = '']) => colour);
      assert.ok(colours.length > 5, media.svg);
      assert.deepEqual(
        colours.filter((colour) => colour !== 'none' && !/^var\(--vscode-[\w-]+\)$/.test(colour)),
        [],
      );
      assert.doesNotMatch(picture, /<text|<image|<script|href|style=/, media.svg);
      assert.ok(picture.length <= 8_000, media.svg);
    }
  });

  it('is what the command opens', () => {
    assert.ok(
      text('src/views/commands/handlers.ts').includes(`'beadsmith.beadsmith#${walkthrough?.id ?? ''}'`),
    );
  });

  it('has the icon of the extension, a small PNG that is large enough for lists', () => {
    assert.equal(walkthrough?.icon, manifest.icon);
    const png = readFileSync(join(root, manifest.icon));
    assert.equal(png.subarray(1, 4).toString(), 'PNG');
    assert.ok(png.readUInt32BE(16) >= 128 && png.readUInt32BE(16) === png.readUInt32BE(20));
    assert.ok(png.length <= 20_480, `${String(png.length)} bytes`);
  });
});

describe('what the sources promise', () => {
  it('calls nothing synchronous of the file system or of processes in the extension host', () => {
    assert.deepEqual(
      saying(
        /\b(?:read|write|append|exists|stat|readdir|mkdir|rm|copy|exec|execFile|spawn)(?:File|dir)?Sync\(/,
      ),
      [],
    );
  });

  it('waits for modules of its own only, because a bundle in parts has no names of packages; three packages are bundles of their own', () => {
    const apart = [
      'src/adapters/opencode/client/opencodeClient.ts',
      // In a thread that the extension never starts.
      'src/adapters/store/postgres/loadPg.ts',
      // The same package, for the command line alone.
      'src/adapters/tokens/gptTokens.ts',
    ];
    assert.deepEqual(saying(/\bimport\('[^.]/, sources).sort(), apart);
  });

  it('has one status bar item, on the left, in the colours of the bar', () => {
    const files = saying(/createStatusBarItem/);
    assert.equal(files.length, 1);
    for (const file of files) {
      assert.match(text(file), /StatusBarAlignment\.Left/);
      assert.doesNotMatch(text(file), /\.color =/);
      for (const [, colour] of text(file).matchAll(/ThemeColor\('([^']+)'\)/g))
        assert.equal(colour, 'statusBarItem.errorBackground');
    }
  });

  it('has no telemetry, and speaks to no server but OpenCode', () => {
    assert.deepEqual(
      saying(/createTelemetryLogger|isTelemetryEnabled|applicationinsights|sendTelemetry/i, sources),
      [],
    );
    // The page of the command line's server speaks to that.
    assert.deepEqual(saying(/\bfetch\(|XMLHttpRequest|WebSocket|sendBeacon/), [
      'webview-ui/served/serverLink.ts',
    ]);
  });

  it('asks for the path of files only', () => {
    for (const file of saying(/\.fsPath\b/))
      assert.match(text(file), /scheme (?:===|!==) 'file'|scheme: 'file'|Uri\.file\(/, file);
  });

  it('colours pages by the theme alone', () => {
    assert.deepEqual(
      saying(
        /(?:#[0-9a-f]{3,8}\b(?=[;\s,)])|\brgba?\(|\bhsla?\()/i,
        sources.filter((file) => file.endsWith('.css')),
      ),
      // A browser has no theme of an editor.
      ['webview-ui/served/served.css'],
    );
  });

  it('keeps no page alive while it is hidden, and shows no page of its own accord', () => {
    assert.deepEqual(saying(/retainContextWhenHidden: true/), []);
    assert.deepEqual(
      saying(/createWebviewPanel\(/)
        .map((file) => file.replaceAll('\\', '/'))
        .toSorted(),
      ['src/views/pages/pagePanel.ts', 'src/views/pages/setup/setupPanel.ts'],
    );
    // Each of them follows something that a person did.
    assert.deepEqual(
      saying(/(?<!\s)openPage\(/)
        .map((file) => file.replaceAll('\\', '/'))
        .toSorted(),
      [
        'src/views/commands/handlers.ts',
        'src/views/demo/tryDemo.ts',
        'src/views/tickets/draft/ticketDrafts.ts',
        'src/views/tickets/import/importPreviews.ts',
      ],
    );
  });

  it('gives pages less motion and forced colours where that is wanted', () => {
    const base = text('webview-ui/base/page.css');
    assert.match(base, /@media \(prefers-reduced-motion: reduce\)/);
    assert.match(base, /@media \(forced-colors: active\)/);
  });

  it('shows progress and the number of tickets that wait at the view', () => {
    const view = text('src/views/tickets/ticketsView.ts');
    assert.match(view, /withProgress\(\{ location: \{ viewId: ticketsViewId \} \}/);
    assert.match(view, /view\.badge = count === 0 \? undefined : \{ value: count/);
  });

  it('lets progress in a notification be canceled', () => {
    for (const file of saying(/ProgressLocation\.Notification/)) {
      const asked = text(file).match(/ProgressLocation\.Notification/g)?.length;
      assert.equal(text(file).match(/cancellable: true/g)?.length, asked, file);
    }
  });

  it('speaks to no address on this machine from a page', () => {
    assert.deepEqual(
      saying(
        /localhost|127\.0\.0\.1/,
        inEditor.filter((file) => !file.endsWith('serverUrls.ts')),
      ),
      [],
    );
  });
});
