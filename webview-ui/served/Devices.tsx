import { useEffect, useState } from 'preact/hooks';
import type * as z from 'zod';
import type { Me, servedAnswers } from '../../src/protocol/team/served.ts';
import { Button, Radio, TextField } from '../base/elements.tsx';
import { Heading } from '../base/headings.tsx';
import { when } from '../base/format.ts';
import { Failed, type Tools, useWork } from './work.tsx';

type Device = z.infer<typeof servedAnswers.devices>['devices'][number];
const roles = {
  reader: 'Reader: sees tickets',
  reviewer: 'Reviewer: also decides',
  admin: 'Admin: also adds and revokes devices',
} as const;

export function Devices({
  tools,
  me,
  onGone,
}: {
  readonly tools: Tools;
  readonly me: Me;
  readonly onGone: () => void;
}) {
  const { link, announce } = tools;
  const [devices, setDevices] = useState<readonly Device[]>([]);
  const [asked, setAsked] = useState('');
  const work = useWork();
  const load = async (): Promise<void> => setDevices((await link.devices()).devices);
  useEffect(() => void work.run(load), []);
  const revoke = async (id: string): Promise<void> => {
    const isDone = await work.run(async () => {
      await link.revoke(id);
      if (id !== me.key) await load();
    });
    setAsked('');
    if (isDone && id === me.key) onGone();
    else if (isDone) announce('Device revoked.');
  };
  return (
    <main>
      <h1>Devices</h1>
      <Failed of={work} />
      <ul class="tickets">
        {devices.map((device) => {
          const { id, person, device: name, role, addedAt, revokedAt } = device;
          const mayRevoke = revokedAt === null && (me.role === 'admin' || id === me.key);
          return (
            <li key={id} class="card">
              <div class="title">
                {person} · {name}
              </div>
              <div class="quiet">
                {role} · {revokedAt === null ? `added ${when(addedAt)}` : `revoked ${when(revokedAt)}`} ·{' '}
                <code>{id.slice(0, 12)}</code>
                {id === me.key && ' · this browser'}
              </div>
              {mayRevoke && asked !== id && (
                <div class="actions">
                  <Button secondary label={`Revoke… ${person}, ${name}`} onClick={() => setAsked(id)}>
                    Revoke…
                  </Button>
                </div>
              )}
              {asked === id && (
                <div role="group" aria-label={`Revoke ${name}`}>
                  <p>
                    Revoke this device? Its key can’t be used again, and its pending decisions are refused.
                  </p>
                  <div class="actions">
                    <Button disabled={work.isBusy} onClick={() => void revoke(id)}>
                      Revoke Device
                    </Button>
                    <Button secondary onClick={() => setAsked('')}>
                      Cancel
                    </Button>
                  </div>
                </div>
              )}
            </li>
          );
        })}
      </ul>
      {me.role === 'admin' && <Invite tools={tools} />}
    </main>
  );
}

function Invite({ tools: { link, announce } }: { readonly tools: Tools }) {
  const [person, setPerson] = useState('');
  const [role, setRole] = useState<Me['role']>('reviewer');
  const [code, setCode] = useState('');
  const work = useWork();
  const invite = async (): Promise<void> => {
    const isDone = await work.run(async () => setCode((await link.invite(person.trim(), role)).code));
    if (isDone) announce('Pairing code created.');
  };
  return (
    <section aria-labelledby="invite">
      <Heading id="invite">Add a device</Heading>
      <TextField label="Person" value={person} onInput={setPerson} maxLength={100} />
      <fieldset>
        <legend class="quiet">Role</legend>
        {(Object.keys(roles) as Me['role'][]).map((one) => (
          <Radio
            key={one}
            name="role"
            label={roles[one]}
            checked={role === one}
            onChange={() => setRole(one)}
          />
        ))}
      </fieldset>
      <div class="actions">
        <Button secondary disabled={work.isBusy || person.trim() === ''} onClick={() => void invite()}>
          Create Pairing Code
        </Button>
      </div>
      <Failed of={work} />
      {code !== '' && (
        <p>
          <code class="code">{code}</code> <span class="quiet">works once, within 10 minutes.</span>
        </p>
      )}
    </section>
  );
}
