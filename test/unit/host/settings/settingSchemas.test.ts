import assert from 'node:assert/strict';
import fc from 'fast-check';
import * as z from 'zod';
import { KeepRule } from '../../../../src/domain/core/cleaning.ts';
import { RepositorySettings, Settings } from '../../../../src/domain/settings/settings.ts';
import { serverUrl } from '../../../../src/host/settings/serverUrls.ts';
import { manifestSettings } from '../../../support/manifestSettings.ts';

const Property = z.object({
  type: z.enum(['string', 'integer', 'boolean', 'array']),
  default: z.unknown(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  enum: z.array(z.unknown()).optional(),
  pattern: z.string().optional(),
  maxItems: z.number().optional(),
  items: z
    .object({
      type: z.literal('string'),
      pattern: z.string().optional(),
      enum: z.array(z.unknown()).optional(),
    })
    .optional(),
});
type Property = z.infer<typeof Property>;
const properties = Object.fromEntries(
  Object.entries(manifestSettings()).flatMap(([name, setting]) => {
    const inner = z.object({ properties: z.record(z.string(), Property) }).safeParse(setting);
    if (inner.success)
      return Object.entries(inner.data.properties).map(([key, value]) => [`${name}.${key}`, value]);
    const plain = Property.safeParse(setting);
    return plain.success ? [[name, plain.data]] : [];
  }),
) as Readonly<Record<string, Property>>;

function takes(property: Property, value: unknown): boolean {
  const {
    type,
    minimum = -Infinity,
    maximum = Infinity,
    pattern = '',
    maxItems = Infinity,
    items,
  } = property;
  if (property.enum && !property.enum.includes(value)) return false;
  switch (type) {
    case 'boolean':
      return typeof value === 'boolean';
    case 'integer':
      return typeof value === 'number' && Number.isInteger(value) && value >= minimum && value <= maximum;
    case 'string':
      return typeof value === 'string' && new RegExp(pattern, 'u').test(value);
    case 'array':
      return (
        Array.isArray(value) &&
        value.length <= maxItems &&
        value.every(
          (item) =>
            new RegExp(items?.pattern ?? '', 'u').test(String(item)) && (items?.enum?.includes(item) ?? true),
        )
      );
  }
}

function named(name: string): Property {
  return properties[`beadsmith.${name}`] ?? assert.fail(name);
}

const texts = fc.oneof(
  fc.string(),
  fc
    .array(
      fc.constantFrom(
        'openai',
        'a',
        'Z',
        '9',
        '/',
        '.',
        '-',
        '_',
        '@',
        ':',
        ' ',
        '\n',
        '#',
        'ABC',
        'gpt-5',
        'é',
      ),
      { maxLength: 8 },
    )
    .map((parts) => parts.join('')),
);

describe('the settings in package.json', () => {
  for (const [name, property] of Object.entries(properties))
    it(`${name} have a default that they take themselves`, () => {
      assert.ok(takes(property, property.default), JSON.stringify(property.default));
    });

  it('warn of exactly the models that a start would refuse', () => {
    const model = Settings.shape.mainImplementer;
    fc.assert(
      fc.property(texts, (text) => {
        const isModel = model.safeParse(text).success;
        if (text !== '') assert.equal(takes(named('mainImplementer'), text), isModel, JSON.stringify(text));
        assert.equal(takes(named('councilMembers'), [text]), isModel, JSON.stringify(text));
      }),
      { numRuns: 2_000 },
    );
    const ten = Array.from({ length: 10 }, (_, index) => `a/${String(index)}`);
    for (const members of [ten, ten.slice(1)])
      assert.equal(
        takes(named('councilMembers'), members),
        Settings.shape.councilMembers.safeParse(members).success,
      );
  });

  it('warn of exactly the prefixes that no ticket can have', () => {
    fc.assert(
      fc.property(texts, (text) => {
        if (text === '') return;
        assert.equal(
          takes(named('ticketPrefix'), text),
          RepositorySettings.shape.ticketPrefix.safeParse(text).success,
          JSON.stringify(text),
        );
      }),
      { numRuns: 2_000 },
    );
  });

  it('offer exactly the places of worktrees and ways of integration that there are', () => {
    assert.deepEqual(named('worktreeFolder').enum, RepositorySettings.shape.worktreeFolder.unwrap().options);
    assert.deepEqual(named('integration').enum, Settings.shape.integration.unwrap().options);
  });

  it('keep what finished tickets left as long as the product itself does, within the same bounds', () => {
    for (const [name, schema] of [
      ['cleanUp.keepDays', KeepRule.shape.days],
      ['cleanUp.keepMegabytes', KeepRule.shape.megabytes],
    ] as const) {
      const property = named(name);
      assert.equal(schema.parse(undefined), property.default, name);
      for (const value of [-1, 0, 1, 0.5, 3_650, 3_651, 1_000_000, 1_000_001, '1'])
        assert.equal(takes(property, value), schema.safeParse(value).success, `${name}: ${String(value)}`);
    }
  });

  it('warn of no address of a server that can be used', () => {
    for (const url of [
      '',
      'http://127.0.0.1:4096',
      'http://localhost:1/',
      'http://[::1]:8080',
      'https://example.com/opencode',
    ]) {
      assert.doesNotThrow(() => serverUrl(url), url);
      assert.ok(takes(named('opencode.url'), url), url);
    }
    for (const url of ['127.0.0.1:4096', 'ftp://a', 'javascript:alert(1)', 'https:// a', '/etc']) {
      assert.throws(() => serverUrl(url), { code: 'INVALID_INPUT' }, url);
      assert.ok(!takes(named('opencode.url'), url), url);
    }
  });
});
