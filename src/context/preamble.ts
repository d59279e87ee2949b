/** A loop's progress. `max`: undefined or 0 for no limit. `left`: of the budget. `promise`: its word. */
interface LoopState {
  readonly pass: number;
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  readonly iteration?: { readonly number: number; readonly of: number } | undefined;
  readonly left?: readonly string[] | undefined;
  readonly last?: string | undefined;
  readonly promise?: string | undefined;
}

/** The changing part of the preamble (docs/decisions/140-passes.md). */
export function iterationText(state: LoopState | undefined): string {
  if (!state) return '';
  const { pass, min = 1, max = 0, iteration, left = [], last = '', promise = '' } = state;
  const of =
    max > 0 ? ` of ${max === min ? 'exactly' : 'at most'} ${String(max)}` : ', without an upper limit';
  const least = min > 1 && min !== max ? `, and of at least ${String(min)}` : '';
  return [
    `Pass ${String(pass)}${of}${least}.${iteration ? ` Iteration ${String(iteration.number)} of ${String(iteration.of)} of this bead.` : ''}`,
    ...(left.length > 0 ? [`Left: ${left.join(', ')}.`] : []),
    ...(last === '' ? [] : [`The last pass: ${last}`]),
    ...(promise === ''
      ? []
      : [
          `Instead of the block you may end with the line <promise>${promise}</promise>, with the value of \`report_nonce\` on a line before.`,
        ]),
  ].join('\n');
}
