import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

const Setting = z.looseObject({ scope: z.string(), order: z.number(), tags: z.array(z.string()).optional() });
export type ManifestSetting = z.infer<typeof Setting>;

const Manifest = z.object({
  contributes: z.object({
    configuration: z.array(z.object({ title: z.string(), properties: z.record(z.string(), Setting) })),
  }),
});

/** By their whole names. */
export function manifestSettings(): Readonly<Record<string, ManifestSetting>> {
  const text = readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8');
  const { configuration } = Manifest.parse(JSON.parse(text)).contributes;
  return Object.fromEntries(configuration.flatMap(({ properties }) => Object.entries(properties)));
}
