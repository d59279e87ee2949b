// Writes the reference of docs/cli.md, the part below its marker, from the table of commands. The part above
// is written by hand.
//
//   node .build/cliDocs.mjs
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureNode24 } from './node24.mjs';
import { root } from './paths.mjs';

const file = join(root, 'docs', 'cli.md');
const marker = '<!-- Written by .build/cliDocs.mjs from the table of commands. -->';

/** The whole of docs/cli.md as it should be. */
export async function cliDocs() {
  const { commands } = await import('../src/cli/commandTable.ts');
  const { commonOptions, drivingOptions, opencodeOptions, policyOptions, ticketOptions } =
    await import('../src/cli/options/options.ts');
  const { teamOptions } = await import('../src/cli/drive/team.ts');
  const { frozenOptions, limitOptions } = await import('../src/cli/options/settingsOptions.ts');
  const { 'no-wait': noWait } = drivingOptions;
  const groups = {
    common: commonOptions,
    team: teamOptions,
    driving: { 'no-wait': noWait },
    opencode: opencodeOptions,
    gates: policyOptions,
    ticket: ticketOptions,
    settings: frozenOptions,
    limits: limitOptions,
  };
  const isOwn = ([option, spec]) => !Object.values(groups).some((group) => group[option] === spec);
  const [byHand] = readFileSync(file, 'utf8').split(marker);
  const lines = [
    marker,
    '',
    '## Commands',
    '',
    '| Command | What it does | Options |',
    '| --- | --- | --- |',
  ];
  for (const { name, words, about, options } of commands) {
    const shared = Object.entries(groups).filter(([, group]) =>
      Object.entries(group).every(([option, spec]) => options[option] === spec),
    );
    const own = Object.entries(options).filter(isOwn);
    const named = [...own.map(([option]) => `\`--${option}\``), ...shared.map(([group]) => group)].join(', ');
    lines.push(`| \`${escaped(`${name} ${words}`.trim())}\` | ${escaped(about)} | ${named} |`);
  }
  const titles = {
    common: 'Common options',
    team: "Option of commands that a team's tickets take too",
    driving: 'Options of commands that may drive',
    opencode: 'Options about OpenCode',
    gates: 'Options that answer gates',
    ticket: 'Options of a new ticket',
    settings: 'Settings, frozen when a ticket starts',
    limits: 'Limits, frozen for each run; `limits` changes them for the runs after it',
  };
  for (const [group, options] of Object.entries(groups))
    lines.push('', `## ${titles[group]}`, '', ...table(Object.entries(options)));
  lines.push('', "## A command's own options", '', '| Command | Option | |', '| --- | --- | --- |');
  for (const { name, options } of commands)
    for (const [option, spec] of Object.entries(options).filter(isOwn))
      lines.push(`| \`${name}\` | \`${written(option, spec)}\` | ${escaped(spec.about)} |`);
  return `${byHand}${lines.join('\n')}\n`;
}

function table(options) {
  return [
    '| Option | |',
    '| --- | --- |',
    ...options.map(([name, spec]) => `| \`${written(name, spec)}\` | ${escaped(spec.about)} |`),
  ];
}

function written(name, { value }) {
  return escaped(`--${name}${value === undefined ? '' : ` ${value}`}`);
}

function escaped(text) {
  return text.replaceAll('|', '\\|');
}

if (process.argv[1] === import.meta.filename) {
  ensureNode24();
  writeFileSync(file, await cliDocs());
}
