import { useState } from 'preact/hooks';
import { Button } from '../base/elements.tsx';
import { ServerFailure, type ServerLink } from './serverLink.ts';

/** The parts that all views share. */
export interface Tools {
  readonly link: ServerLink;
  /** For people who don't see the page. */
  readonly announce: (text: string) => void;
}

interface Work {
  readonly isBusy: boolean;
  readonly failure: string;
  /** True if it was done. */
  run(work: () => Promise<void>): Promise<boolean>;
  dismiss(): void;
}

/** Something that a person started: whether it is under way, and why it failed. */
export function useWork(): Work {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState('');
  const run: Work['run'] = async (work) => {
    setBusy(true);
    setFailure('');
    try {
      await work();
      return true;
    } catch (error) {
      setFailure(messageOf(error));
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, failure, run, dismiss: () => setFailure('') };
}

/** The device has to be paired again after these. */
const gone: readonly string[] = ['DEVICE_UNKNOWN', 'DEVICE_REVOKED'];

export function isGone(error: unknown): error is ServerFailure {
  return error instanceof ServerFailure && gone.includes(error.code);
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export function Failed({ of: { failure, dismiss } }: { readonly of: Pick<Work, 'failure' | 'dismiss'> }) {
  if (failure === '') return null;
  return (
    <div class="failure" role="alert">
      <span class="grow">{failure}</span>
      <Button secondary onClick={dismiss}>
        Dismiss
      </Button>
    </div>
  );
}

/** The editor's own element brings pictures, which the page's policy forbids. */
export function TextArea({
  label,
  value,
  onInput,
  rows = 3,
  maxLength = 20_000,
}: {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly rows?: number;
  readonly maxLength?: number;
}) {
  return (
    <label class="field">
      <span class="label">{label}</span>
      <textarea
        value={value}
        rows={rows}
        maxLength={maxLength}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </label>
  );
}
