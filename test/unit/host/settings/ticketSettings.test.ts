import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { frozenFields } from '../../../../src/host/settings/ticketSettings.ts';

const Property = z.object({
  type: z.string(),
  default: z.unknown(),
  scope: z.string(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  enum: z.array(z.string()).optional(),
  items: z.object({ pattern: z.string() }).optional(),
  maxItems: z.number().optional(),
});
const Manifest = z.object({
  contributes: z.object({ configuration: z.object({ properties: z.record(z.string(), Property) }) }),
});
const { properties } = Manifest.parse(JSON.parse(readFileSync(join(import.meta.dirname, '../../../../package.json'), 'utf8'))).contributes
  .configuration;

describe('the settings of a ticket', () => {
  for (const { name, field, schema, seconds } of [...frozenFields.settings, ...frozenFields.limits])
    describe(`beadsmith.${name}`, () => {
      const factor = seconds ? 1_000 : 1;
      const shown = properties[`beadsmith.${name}`];
      const accepts = (value: unknown): boolean => schema.safeParse(typeof value === 'number' ? factor * value : value).success;

      it(`has the default of ${field}`, () => {
        const value = schema.parse(undefined);
        assert.deepEqual(shown?.default, typeof value === 'number' ? value / factor : value);
        assert.equal(shown?.scope, 'resource');
      });

      it('has the bounds of the schema', () => {
        if (shown?.type === 'integer') {
          const { minimum, maximum } = shown;
          assert.equal(typeof minimum, 'number');
          assert.deepEqual([accepts(minimum), accepts((minimum ?? 0) - 1), accepts((minimum ?? 0) + 0.0001)], [true, false, false]);
          if (maximum === undefined) assert.equal(accepts(1_000_000_000_000), true);
          else assert.deepEqual([accepts(maximum), accepts(maximum + 1)], [true, false]);
        } else if (shown?.type === 'string') {
          assert.deepEqual(
            shown.enum?.map((value) => accepts(value)),
            shown.enum?.map(() => true),
          );
          assert.equal(accepts('something <else>'), false);
        } else if (shown?.type === 'array') {
          const { items, maxItems = 0 } = shown;
          const words = shown.default as readonly string[];
          assert.ok(words.every((word) => new RegExp(items?.pattern ?? '$^', 'u').test(word)));
          assert.equal(accepts(['something else']), false);
          const many = (length: number): readonly string[] => Array.from({ length }, () => words[0] ?? 'word');
          assert.deepEqual([accepts(many(maxItems)), accepts(many(maxItems + 1))], [true, false]);
        } else assert.equal(shown?.type, 'boolean');
      });
    });
});
