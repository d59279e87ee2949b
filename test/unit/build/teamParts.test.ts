import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { root } from '../../../.build/paths.mjs';
import { teamParts } from '../../../.build/teamParts.mjs';

const Versions = z.record(z.string(), z.string());
const Entry = z.object({
  version: z.string(),
  integrity: z.string().optional(),
  os: z.array(z.string()).optional(),
  dependencies: Versions.default({}),
  optionalDependencies: Versions.default({}),
});
const Parts = z.object({
  manifest: Entry,
  lock: z.object({ packages: z.record(z.string(), Entry) }),
});

describe('what beadsmith team install installs', () => {
  const parts = Parts.parse(teamParts(root));
  const { '': about, ...packages } = parts.lock.packages;

  it('is DBOS, and PostgreSQL for each system, in the versions of the sources', () => {
    const { devDependencies, optionalDependencies } = z
      .object({ devDependencies: Versions, optionalDependencies: Versions })
      .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
    const sdk = '@dbos-inc/dbos-sdk';
    assert.deepEqual(parts.manifest.dependencies, { [sdk]: devDependencies[sdk] });
    assert.deepEqual(parts.manifest.optionalDependencies, optionalDependencies);
    const systems = Object.values(packages).flatMap(({ os = [] }) => os);
    assert.deepEqual([...new Set(systems)].sort(), ['darwin', 'linux', 'win32']);
  });

  it('is locked whole, by hashes: npm installs nothing else', () => {
    assert.deepEqual(about?.dependencies, parts.manifest.dependencies);
    for (const [path, { integrity, dependencies }] of Object.entries(packages)) {
      assert.match(integrity ?? '', /^sha512-/, path);
      for (const name of Object.keys(dependencies))
        assert.ok(packages[`node_modules/${name}`], `${path}: ${name}`);
    }
  });

  it('names no registry, and nothing that DBOS does without', () => {
    assert.doesNotMatch(JSON.stringify(teamParts(root)), /https?:/);
    const needed = new Set(
      Object.values(packages).flatMap((one) => [
        ...Object.keys(one.dependencies),
        ...Object.keys(one.optionalDependencies),
      ]),
    );
    const own = Object.keys({ ...parts.manifest.dependencies, ...parts.manifest.optionalDependencies });
    for (const path of Object.keys(packages)) {
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
      assert.ok(needed.has(name) || own.includes(name), name);
    }
  });
});
