import { findSandbox } from '../../src/adapters/sandbox/findSandbox.ts';

/**
 * Whether a box can be tried on this machine; why not is printed. To be asked before the tests of a file are
 * listed.
 */
export async function canTryBox(): Promise<boolean> {
  const { kind, gap } = await findSandbox('auto', { commonDir: '/' });
  if (kind !== 'bubblewrap') {
    // The reporter has it said beside the counts.
    const lacking = (process.env['BEADSMITH_NOT_RUN'] =
      `need bubblewrap, which is ${gap ?? 'another one'} here`);
    console.log(`    Not run: these ${lacking}.`);
  }
  return kind === 'bubblewrap';
}
