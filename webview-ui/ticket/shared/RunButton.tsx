import type { ComponentChildren } from 'preact';
import { Button } from '../../base/elements.tsx';
import { Failure, useRequest } from '../../base/useRequest.tsx';
import type { Tools } from './tools.ts';

interface RunButtonProps {
  /** The name of a command of the ticket, which asks for what it needs by itself. */
  readonly command: string;
  readonly icon: string;
  readonly page: Tools;
  readonly children: ComponentChildren;
}

/** A button on a tab for a command of the ticket. */
export function RunButton({ command, icon, page, children }: RunButtonProps) {
  const { send, failure, dismiss, isBusy } = useRequest(page, 'run');
  return (
    <>
      <Button secondary icon={icon} disabled={isBusy} onClick={() => void send({ command })}>
        {children}
      </Button>
      <Failure failure={failure} onDismiss={dismiss} />
    </>
  );
}
