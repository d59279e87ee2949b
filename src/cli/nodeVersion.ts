/** First versions with `node:sqlite` without a switch. */
const first: readonly (readonly [line: number, minor: number])[] = [
  [22, 13],
  [23, 4],
];

/** Undefined if this Node can run the product. */
export function nodeTooOld(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > 23 || first.some(([line, from]) => major === line && minor >= from)) return undefined;
  return (
    `beadsmith needs Node 22.13, 23.4 or later, and was started with Node ${version}.\n` +
    'Install Node 24 from https://nodejs.org. Where beadsmith was built, its own Node runs it: npm run beadsmith -- COMMAND\n'
  );
}
