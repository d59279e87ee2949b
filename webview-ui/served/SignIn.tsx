import { useState } from 'preact/hooks';
import type { Me } from '../../src/protocol/team/served.ts';
import { Button, TextField } from '../base/elements.tsx';
import { hasCryptography, newKey } from './deviceKey.ts';
import { Failed, type Tools, useWork } from './work.tsx';

/** `reason`: why the browser isn't signed in, if it was before. */
export function SignIn({
  tools: { link },
  reason,
  onSignedIn,
}: {
  readonly tools: Tools;
  readonly reason: string;
  readonly onSignedIn: (me: Me) => void;
}) {
  const [code, setCode] = useState('');
  const [device, setDevice] = useState(deviceName());
  const work = useWork();
  const pair = (): void => {
    void work.run(async () => {
      const key = await newKey();
      const me = await link.pair(key, { code: code.trim(), device: device.trim() });
      await key.keep();
      onSignedIn(me);
    });
  };
  const isReady = code.trim() !== '' && device.trim() !== '' && !work.isBusy;
  return (
    <main class="narrow">
      <h1>Sign in to Beadsmith</h1>
      {reason !== '' && (
        <p class="failure" role="alert">
          {reason}
        </p>
      )}
      {hasCryptography() ? (
        <form
          onSubmit={(event) => event.preventDefault()}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && isReady) pair();
          }}
        >
          <p>
            Enter a pairing code. An admin of your team gets one from <code>beadsmith team pair</code>, or
            from <em>Devices</em> here.
          </p>
          <TextField label="Pairing code" value={code} onInput={setCode} placeholder="XXXX-XXXX-XXXX-XXXX" />
          <TextField label="Name of this device" value={device} onInput={setDevice} maxLength={100} />
          <p class="quiet">
            This browser creates a key that can’t be copied. Your decisions are signed with it, and it can be
            revoked at any time.
          </p>
          <div class="actions">
            <Button disabled={!isReady} onClick={pair}>
              Sign In
            </Button>
          </div>
          <Failed of={work} />
        </form>
      ) : (
        <p class="failure" role="alert">
          This browser can’t create a key here. Open the page over HTTPS, and not in a private window.
        </p>
      )}
    </main>
  );
}

function deviceName(): string {
  const { userAgent } = navigator;
  const system = /iPhone|iPad|Android|Macintosh|Windows|Linux/.exec(userAgent)?.[0] ?? 'device';
  const browser = /Firefox|Edg|Chrome|Safari/.exec(userAgent)?.[0] ?? 'Browser';
  return `${browser === 'Edg' ? 'Edge' : browser} on ${system === 'Macintosh' ? 'Mac' : system}`;
}
