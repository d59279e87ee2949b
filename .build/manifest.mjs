// Writes the settings of package.json, package.nls.json and docs/settings.md from their rows
// (src/domain/settings/rows.ts). Nobody edits them by hand, and a test compares. `npm run docs` calls this.
//
//   node .build/manifest.mjs
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureNode24 } from './node24.mjs';
import { root } from './paths.mjs';

/** The three files as they should be, by their paths. */
export async function manifestFiles() {
  const [manifest, texts] = ['package.json', 'package.nls.json'].map((file) =>
    JSON.parse(readFileSync(join(root, file), 'utf8')),
  );
  const { configuration, restricted, texts: own } = await settings();
  manifest.contributes.configuration = configuration;
  const { commands, menus, keybindings, texts: titles } = await commandRows();
  manifest.contributes.commands = commands;
  manifest.contributes.menus = menus;
  manifest.contributes.keybindings = keybindings;
  manifest.capabilities.untrustedWorkspaces.restrictedConfigurations = restricted;
  const others = Object.entries(texts).filter(
    ([key]) => !key.startsWith('setting.') && !key.startsWith('settings.'),
  );
  return {
    'package.json': written(manifest),
    'package.nls.json': written({ ...Object.fromEntries(others), ...titles, ...own }),
    'docs/settings.md': settingsPage(configuration, own, await options()),
  };
}

/** The commands with their titles, icons and keys, and where menus have them. */
async function commandRows() {
  const { commandId, commandNames, commandRow, needsTrust, paletteWhen } =
    await import('../src/views/commands/commands.ts');
  const { menuItems } = await import('../src/views/commands/menus.ts');
  const commands = commandNames.map((name) => {
    const { icon } = commandRow(name);
    return {
      command: commandId(name),
      title: `%command.${name}%`,
      category: 'Beadsmith',
      ...(icon === undefined ? {} : { icon: `$(${icon})` }),
      ...(needsTrust(name) ? { enablement: 'isWorkspaceTrusted' } : {}),
    };
  });
  const commandPalette = commandNames.flatMap((name) => {
    const when = paletteWhen(name);
    return when === undefined ? [] : [{ command: commandId(name), when }];
  });
  const keybindings = commandNames.flatMap((name) => {
    const { key } = commandRow(name);
    return key ? [{ command: commandId(name), ...key }] : [];
  });
  const texts = Object.fromEntries(commandNames.map((name) => [`command.${name}`, commandRow(name).title]));
  return { commands, menus: { ...menuItems(), commandPalette }, keybindings, texts };
}

function written(content) {
  return `${JSON.stringify(content, null, 2)}\n`;
}

/** The command line's option of each value, by the setting and its property. */
async function options() {
  const { settingName, settingRows } = await import('../src/domain/settings/rows.ts');
  const found = Object.entries(settingRows).filter(([, { option, budget }]) => option && !budget);
  return new Map(found.map(([field, { option }]) => [settingName(field), option]));
}

/** docs/settings.md: every setting with its default, its option and its sentence. */
function settingsPage(configuration, texts, optionOf) {
  const say = (key) =>
    (texts[key.replaceAll('%', '')] ?? key).replaceAll(/`#([\w.]+)#`/g, '`$1`').replaceAll('|', '\\|');
  const row = (
    name,
    { default: usual, markdownDescription, enum: words, enumDescriptions = [] },
    prefix = '',
  ) => {
    const option = optionOf.get(`${prefix}${name}`.replace('beadsmith.', ''));
    const values = (words ?? []).map((word, at) =>
      enumDescriptions[at] ? ` \`${word}\`: ${say(enumDescriptions[at])}` : '',
    );
    return `| \`${name}\` | ${usual === undefined ? '' : `\`${JSON.stringify(usual)}\``} | ${option ? `\`--${option}\`` : ''} | ${say(markdownDescription)}${values.join('')} |`;
  };
  const lines = configuration.flatMap(({ title, properties }) => [
    `## ${say(title)}`,
    '',
    '| Setting | Default | Option | Description |',
    '| --- | --- | --- | --- |',
    ...Object.entries(properties).flatMap(([name, value]) => {
      const inner = Object.entries(value.properties ?? value.items?.properties ?? {});
      const whole = value.properties ? { ...value, default: undefined } : value;
      return [row(name, whole), ...inner.map(([key, one]) => row(key, one, `${name}.`))];
    }),
    '',
  ]);
  return [
    '# Settings',
    '',
    '<!-- Written by .build/manifest.mjs from src/domain/settings/rows.ts. -->',
    '',
    'The settings of the editor, each with the option that sets it for one ticket on the command line. A ticket keeps the',
    'settings that it started with, but for its limits, which can be changed at any time.',
    '',
    ...lines,
  ]
    .join('\n')
    .trimEnd()
    .concat('\n');
}

/**
 * The settings as the editor wants them: one page a group, what is advanced last, and all sentences apart.
 */
async function settings() {
  const z = await import('zod');
  const { settingGroups } = await import('../src/domain/settings/rows/row.ts');
  const { settingObjects, settingRows } = await import('../src/domain/settings/rows.ts');
  const { bare } = await import('../src/domain/settings/optionText.ts');
  const { Budgets, budgetsOf } = await import('../src/domain/settings/budgets.ts');
  const { Limits } = await import('../src/domain/settings/settings.ts');
  const usualLimits = Object.fromEntries(Object.entries(Limits.parse({})).filter(([, value]) => value !== 0));
  const texts = {};
  const say = (key, text) => {
    texts[key] = text;
    return `%${key}%`;
  };

  /**
   * A value's JSON schema in the editor's own words: seconds, sentences, and an empty text where nothing is
   * set.
   */
  const valueSchema = (field, { schema, unit, choices, invalid, setting = field, property }) => {
    const inner = bare(schema);
    const { $schema: _, ...known } = z.toJSONSchema(inner);
    const key = `setting.${[setting, property].filter(Boolean).join('.')}`;
    const usual = schema.safeParse(undefined).data;
    const value = { ...editorSchema(known, unit), default: inSeconds(usual ?? '', unit) };
    const refused = invalid ? { patternErrorMessage: say(`${key}.error`, invalid) } : {};
    if (value.type === 'string' && value.pattern && usual === undefined)
      value.pattern = `^$|${value.pattern}`;
    if (value.type === 'string') Object.assign(value, refused);
    if (value.type === 'array')
      Object.assign(value, {
        items: { ...value.items, ...refused },
        ...(value.default.length === 0 ? { uniqueItems: true } : {}),
      });
    if (!choices) return value;
    const words = value.enum;
    const labels = words.map(
      (word) => choices[word].label && say(`${key}.${word}.label`, choices[word].label),
    );
    return {
      ...value,
      ...(labels.every(Boolean) ? { enumItemLabels: labels } : {}),
      enumDescriptions: words.map((word) => say(`${key}.${word}`, choices[word].about)),
    };
  };
  const scopes = {
    settings: 'resource',
    limits: 'resource',
    repository: 'resource',
    machine: 'machine',
    person: 'application',
  };

  const found = new Map();
  for (const [field, row] of Object.entries(settingRows)) {
    const { setting = field, property, about, group, tags } = row;
    const scope = scopes[row.store];
    if (property === undefined && !row.budget) {
      found.set(setting, {
        group,
        tags,
        value: { ...valueSchema(field, row), scope, markdownDescription: say(`setting.${setting}`, about) },
      });
      continue;
    }
    const object = settingObjects[setting];
    const known = found.get(setting)?.value ?? {
      type: 'object',
      default: {},
      properties: {},
      additionalProperties: false,
    };
    if (property !== undefined) {
      const value = valueSchema(field, row);
      known.properties[property] = {
        ...value,
        markdownDescription: say(`setting.${setting}.${property}`, about),
      };
      known.default[property] = value.default;
    }
    const shown = row.budget
      ? { ...budgetSchema(z.toJSONSchema(Budgets)), default: budgetsOf(usualLimits) }
      : known;
    found.set(setting, {
      group: object.group,
      tags: object.tags,
      value: { ...shown, scope, markdownDescription: say(`setting.${setting}`, object.about) },
    });
  }

  const configuration = Object.entries(settingGroups).map(([group, title], page) => {
    const rows = [...found].filter(([, row]) => row.group === group);
    const isAdvanced = ([, { tags = [] }]) => tags.includes('advanced');
    const ordered = [...rows.filter((row) => !isAdvanced(row)), ...rows.filter(isAdvanced)];
    const properties = ordered.map(([name, { tags, value }], index) => [
      `beadsmith.${name}`,
      { ...value, ...(tags ? { tags } : {}), order: 100 * (page + 1) + index },
    ]);
    return {
      id: `beadsmith.${group}`,
      title: say(`settings.${group}`, title),
      order: page + 1,
      properties: Object.fromEntries(properties),
    };
  });
  const restricted = [...found].filter(
    ([name, { value }]) => value.scope !== 'application' && !name.startsWith('opencode.'),
  );
  return { configuration, restricted: restricted.map(([name]) => `beadsmith.${name}`), texts };

  /** The list of budgets: two properties are enough for a person to see what an entry is. */
  function budgetSchema({ items }) {
    const { per, tokens, dollars, minutes } = items.properties;
    return {
      type: 'array',
      items: {
        type: 'object',
        required: ['per'],
        additionalProperties: false,
        properties: {
          per: { ...per, markdownDescription: say('setting.budgets.per', 'What the budget is for.') },
          tokens: {
            ...withoutInfinity(tokens),
            markdownDescription: say('setting.budgets.tokens', 'Maximum number of tokens.'),
          },
          dollars: {
            ...dollars,
            markdownDescription: say(
              'setting.budgets.dollars',
              'Maximum cost in US dollars, at list prices.',
            ),
          },
          minutes: {
            ...withoutInfinity(minutes),
            markdownDescription: say(
              'setting.budgets.minutes',
              'Maximum number of minutes that models work. Waiting doesn’t count.',
            ),
          },
        },
      },
    };
  }
}

function editorSchema({ anyOf, ...known }, unit) {
  // A text that may be empty.
  if (anyOf) {
    const { pattern = '', ...text } = anyOf.find((one) => one.pattern) ?? {};
    return { ...text, type: 'string', pattern: `^$|${pattern}` };
  }
  const { minimum, maximum, items, ...others } = withoutInfinity(known);
  return {
    ...others,
    ...(minimum === undefined ? {} : { minimum: inSeconds(minimum, unit) }),
    ...(maximum === undefined ? {} : { maximum: inSeconds(maximum, unit) }),
    ...(items ? { items } : {}),
  };
}

function withoutInfinity({ maximum, ...known }) {
  return maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? known : { ...known, maximum };
}

function inSeconds(value, unit) {
  return unit === 'seconds' && typeof value === 'number' ? value / 1_000 : value;
}

if (process.argv[1] === import.meta.filename) {
  ensureNode24();
  for (const [file, content] of Object.entries(await manifestFiles()))
    writeFileSync(join(root, file), content);
}
