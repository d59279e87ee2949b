import { useEffect, useState } from 'preact/hooks';
import type { TicketState } from '../../src/protocol/pages/ticket.ts';
import { Icon } from '../base/elements.tsx';
import { fill } from '../base/fill.ts';
import { duration } from './format.ts';
import type { Tools } from './tools.ts';

/** What agents wait for, with the time that is left. They are answered by the action above. */
export function Requests({ requests, page }: { readonly requests: TicketState['requests']; readonly page: Tools }) {
  const now = useSeconds();
  return (
    <section class="card" aria-labelledby="requests">
      <h2 id="requests">
        <Icon name="comment-discussion" /> {page.texts.requests}
      </h2>
      <ul>
        {requests.map(({ id, source, text, until }) => (
          <li key={id}>
            <span class="code">{source}</span> <span class="plain">{text}</span>
            <div class="quiet" role="timer" aria-live="off">
              {fill(page.texts.goesOnIn, duration(Math.max(0, Math.ceil((until - now) / 1_000)) * 1_000))}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The time, anew each second as long as it is shown. */
function useSeconds(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
