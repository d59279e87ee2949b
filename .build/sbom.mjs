// The list of what the package contains (CycloneDX 1.6), from the files that were bundled and
// package-lock.json.

/**
 * @param {{ name: string, version: string, license: string }} manifest
 * @param {{ packages: Record<string, { version?: string, integrity?: string, license?: string }> }} lock
 * @param {readonly string[]} inputs paths of bundled files
 */
export function sbomOf(manifest, lock, inputs) {
  const places = new Set(
    inputs.flatMap(
      (file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file.replace(/^[\w-]+:/, ''))?.[0] ?? [],
    ),
  );
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { ...described(manifest.name, manifest), type: 'application' } },
    components: [...places].sort().map((place) => {
      const found = lock.packages[place];
      if (!found) throw new Error(`${place} is in a bundle and not in package-lock.json`);
      const [algorithm = '', digest = ''] = found.integrity?.split(/-(.*)/s) ?? [];
      const hashes = digest
        ? [{ alg: algorithm.replace(/^sha/, 'SHA-'), content: Buffer.from(digest, 'base64').toString('hex') }]
        : [];
      return { type: 'library', ...described(place.replace(/^.*node_modules\//, ''), found), hashes };
    }),
  };
}

function described(name, { version = '', license }) {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  return {
    'bom-ref': purl,
    name,
    version,
    purl,
    ...(license ? { licenses: [{ expression: license }] } : {}),
  };
}
