import { IconButton } from '../base/elements.tsx';
import { fill } from '../base/fill.ts';
import { Failure, useRequest } from '../base/useRequest.tsx';
import type { Tools } from './tools.ts';

interface DiffButtonProps {
  readonly bead: string;
  /** Null: what the bead came to. */
  readonly iteration: number | null;
  readonly page: Tools;
}

/** Opens what a bead, or one iteration of it, changed. */
export function DiffButton({ bead, iteration, page }: DiffButtonProps) {
  const { send, failure, dismiss } = useRequest(page, 'showDiff');
  const label = iteration === null ? fill(page.texts.diffOf, bead) : fill(page.texts.diffOfIteration, bead, iteration);
  return (
    <>
      <IconButton icon="diff" label={label} onClick={() => void send({ bead, iteration })} />
      <Failure failure={failure} onDismiss={dismiss} />
    </>
  );
}
