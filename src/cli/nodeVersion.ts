/** The versions from which on a line of Node has its database without a switch; every later line does. */
const first: readonly (readonly [line: number, minor: number])[] = [
  [22, 13],
  [23, 4],
];

/** A request for another Node, when this one can't run the product. `version`: of `process.versions.node`. */
export function nodeTooOld(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > 23 || first.some(([line, from]) => major === line && minor >= from)) return undefined;
  return (
    `beadsmith needs Node 22.13, 23.4 or later, and was started with Node ${version}.\n` +
    'Install Node 24 from https://nodejs.org. Where beadsmith was built, its own Node runs it: npm run beadsmith -- COMMAND\n'
  );
}
