/** The first one with the database in it, without a switch. VS Code brings a later one. */
const oldest = [22, 13] as const;

/** What to do when this Node can't run the product, for people; undefined when it can. `version`: as `process.versions.node` has it. */
export function nodeTooOld(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) return undefined;
  return `beadsmith needs Node ${oldest.join('.')} or later, and was started with ${version}.\nIn the folder it was built in, run: npm run beadsmith -- COMMAND\n`;
}
