import './served.css';
import { render } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import * as z from 'zod';
import type { Me, ServedDetail } from '../../src/protocol/team/served.ts';
import { Button, usePrimaryKey } from '../base/elements.tsx';
import { Devices } from './Devices.tsx';
import { forgetKey, hasCryptography, knownKey } from './deviceKey.ts';
import { Fleet } from './Fleet.tsx';
import { placeOf, type ViewPlace } from './place.ts';
import { ServerLink } from './serverLink.ts';
import { SignIn } from './SignIn.tsx';
import { TicketList } from './TicketList.tsx';
import { TicketPage } from './TicketPage.tsx';
import { isGone, messageOf, type Tools } from './work.tsx';

z.config({ jitless: true });

/** Milliseconds between two questions whether something changed. */
const pollMs = 2_000;
const live = document.createElement('div');
live.className = 'live';
live.setAttribute('role', 'status');
live.setAttribute('aria-live', 'polite');
document.body.append(live);
const tools: Tools = {
  link: new ServerLink(),
  announce: (text) => {
    // The same words again are news, too.
    live.textContent = live.textContent === text ? `${text}\u00A0` : text;
  },
};

function App() {
  const [me, setMe] = useState<Me>();
  const [reason, setReason] = useState<string>();
  usePrimaryKey();
  const leave = async (why: string): Promise<void> => {
    await forgetKey();
    setMe(undefined);
    setReason(why);
  };
  useEffect(() => {
    void signInAgain().then(setMe, async (error: unknown) => {
      if (isGone(error)) await leave(error.message);
      else setReason(error instanceof NotPaired ? '' : messageOf(error));
    });
  }, []);
  if (me) return <SignedIn me={me} onGone={(why) => void leave(why)} />;
  if (reason === undefined) return <p class="loading">Loading…</p>;
  return <SignIn tools={tools} reason={reason} onSignedIn={setMe} />;
}

class NotPaired extends Error {}

async function signInAgain(): Promise<Me> {
  const key = hasCryptography() ? await knownKey() : undefined;
  if (!key) throw new NotPaired();
  return tools.link.signIn(key);
}

function SignedIn({ me, onGone }: { readonly me: Me; readonly onGone: (why: string) => void }) {
  const place = usePlace();
  const [tickets, setTickets] = useState<Awaited<ReturnType<ServerLink['tickets']>>>();
  const [detail, setDetail] = useState<ServedDetail>();
  const [failure, setFailure] = useState('');
  const shown = useRef(place);
  shown.current = place;
  /** An answer about a view that people left is of no use. */
  const load = async (): Promise<void> => {
    const isLeft = (): boolean => shown.current !== place;
    try {
      if (place.view === 'ticket') {
        const { repository, ticket } = place;
        const read = await tools.link.ticket({ repository, ticket });
        if (isLeft()) return;
        setDetail(read);
      } else if (place.view === 'tickets') setTickets(await tools.link.tickets());
      setFailure('');
    } catch (error) {
      if (isGone(error)) onGone(error.message);
      else if (!isLeft()) setFailure(messageOf(error));
    }
  };
  useEffect(() => {
    setDetail(undefined);
    window.scrollTo(0, 0);
    return polling(load);
  }, [place]);
  const isOwn =
    place.view === 'ticket' && detail?.id === place.ticket && detail.repository === place.repository;
  return (
    <>
      <header class="top">
        <a class="brand" href="#">
          Beadsmith
        </a>
        <nav class="row" aria-label="Views">
          <a href="#" aria-current={place.view === 'tickets' ? 'page' : undefined}>
            Tickets
          </a>
          <a href="#fleet" aria-current={place.view === 'fleet' ? 'page' : undefined}>
            Fleet
          </a>
          <a href="#devices" aria-current={place.view === 'devices' ? 'page' : undefined}>
            Devices
          </a>
        </nav>
        <span class="quiet who">
          {me.person} ({me.role})
        </span>
      </header>
      {failure !== '' && (
        <div class="failure" role="alert">
          <span class="grow">{failure}</span>
          <Button secondary onClick={() => void load()}>
            Retry
          </Button>
        </div>
      )}
      {place.view === 'fleet' && <Fleet tools={tools} me={me} onGone={onGone} />}
      {place.view === 'devices' && (
        <Devices tools={tools} me={me} onGone={() => onGone('This device was revoked.')} />
      )}
      {place.view === 'tickets' && (tickets ? <TicketList {...tickets} /> : <p class="loading">Loading…</p>)}
      {place.view === 'ticket' &&
        (isOwn ? (
          <TicketPage
            key={`${detail.repository} ${detail.id} ${detail.sha256 ?? ''}`}
            tools={tools}
            me={me}
            detail={detail}
            onDecided={load}
          />
        ) : (
          failure === '' && <p class="loading">Loading…</p>
        ))}
    </>
  );
}

/** Calls at once, and after each change. */
function polling(load: () => Promise<void>): () => void {
  let isOver = false;
  let known = 0;
  let timer: ReturnType<typeof setTimeout>;
  const poll = async (): Promise<void> => {
    const at = document.hidden
      ? known
      : await tools.link.changes().then(
          (changes) => changes.at,
          () => -1,
        );
    if (at !== known && !isOver) await load();
    known = at;
    if (!isOver) timer = setTimeout(() => void poll(), pollMs);
  };
  void poll();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

function usePlace(): ViewPlace {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const onChange = (): void => setHash(location.hash);
    window.addEventListener('hashchange', onChange);
    return () => window.removeEventListener('hashchange', onChange);
  }, []);
  const place = useRef(placeOf(hash));
  const shown = useRef(hash);
  if (shown.current !== hash) {
    shown.current = hash;
    place.current = placeOf(hash);
  }
  return place.current;
}

const mount = document.getElementById('page');
if (mount) render(<App />, mount);
