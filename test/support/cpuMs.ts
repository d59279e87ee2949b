/**
 * Processor time of this process, in milliseconds: how long something takes, whatever else the machine does.
 */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
