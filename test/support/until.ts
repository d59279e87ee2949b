/** Waits for a condition, looking every few milliseconds. Fails with what was awaited; the test's own time-out may come first. */
export async function until(condition: () => boolean | Promise<boolean>, what: string, limitMs = 10_000): Promise<void> {
  for (const start = performance.now(); !(await condition());) {
    if (performance.now() - start > limitMs) throw new Error(`Waited ${String(limitMs)} ms in vain until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
