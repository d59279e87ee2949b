/**
 * The processor time of this process so far, in milliseconds. A test that says how long something may take
 * measures it by that, and not what else the machine does meanwhile.
 */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
