// Writes the editor's setting of each optional stage that can be turned on, and has no other values than on and off, to package.json and
// package.nls.json: its name is in src/host/settings/ticketSettings.ts, its default and description are in src/domain/settings.ts. Every other setting
// is written by hand.
//
//   node .build/settingsDocs.mjs
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureNode24 } from './node24.mjs';
import { root } from './paths.mjs';

ensureNode24();
const { beadStages } = await import('../src/domain/workflow/beadStages.ts');
const { Settings } = await import('../src/domain/settings.ts');
const { ticketSettings } = await import('../src/host/settings/ticketSettings.ts');

const [manifest, texts] = ['package.json', 'package.nls.json'].map((file) => JSON.parse(readFileSync(join(root, file), 'utf8')));
const { properties } = manifest.contributes.configuration;
const { restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
const fields = [...new Set(Object.values(beadStages).flatMap(({ setting }) => setting ?? []))].filter(
  (field) => field in Settings.shape && typeof Settings.shape[field].parse(undefined) === 'boolean',
);

for (const [index, field] of fields.entries()) {
  const schema = Settings.shape[field];
  const { name } = ticketSettings[field];
  const key = `beadsmith.${name}`;
  if (!schema.description) throw new Error(`src/domain/settings.ts: ${field} needs a description`);
  properties[key] = {
    type: 'boolean',
    default: schema.parse(undefined),
    scope: 'resource',
    order: 40 + index,
    markdownDescription: `%setting.${name}%`,
  };
  if (!restrictedConfigurations.includes(key)) restrictedConfigurations.push(key);
  texts[`setting.${name}`] = schema.description;
}

for (const [file, content] of [
  ['package.json', manifest],
  ['package.nls.json', texts],
])
  writeFileSync(join(root, file), `${JSON.stringify(content, null, 2)}\n`);
