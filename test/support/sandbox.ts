import { findSandbox } from '../../src/adapters/sandbox/findSandbox.ts';

/** Whether a box can be tried on this machine; why not is printed. To be asked before the tests of a file are listed. */
export async function canTryBox(): Promise<boolean> {
  const { kind, gap } = await findSandbox('auto', { commonDir: '/' });
  if (kind !== 'bubblewrap') console.log(`    Not run: needs bubblewrap, which is ${gap ?? 'another one'} here.`);
  return kind === 'bubblewrap';
}
