import { Heading } from '../base/headings.tsx';
import type { ServedTicket } from '../../src/protocol/team/served.ts';
import { visible } from '../../src/base/visible.ts';
import { when } from '../base/format.ts';
import { hashOf } from './place.ts';

/** `unread`: the repositories that can't be read. */
export function TicketList({
  tickets,
  unread,
}: {
  readonly tickets: readonly ServedTicket[];
  readonly unread: readonly string[];
}) {
  const waiting = tickets.filter(({ waits }) => waits);
  const others = tickets.filter(({ waits }) => !waits);
  return (
    <main>
      <h1>Tickets</h1>
      {unread.length > 0 && <p class="problem">The tickets of {visible(unread.join(', '))} can’t be read.</p>}
      <section aria-labelledby="waiting">
        <Heading id="waiting">Waiting for you</Heading>
        <Rows of={waiting} none="Nothing waits for you." />
      </section>
      {others.length > 0 && (
        <section aria-labelledby="others">
          <Heading id="others">Others</Heading>
          <Rows of={others} none="" />
        </section>
      )}
    </main>
  );
}

function Rows({ of, none }: { readonly of: readonly ServedTicket[]; readonly none: string }) {
  if (of.length === 0) return <p class="quiet">{none}</p>;
  return (
    <ul class="tickets">
      {of.map(({ repository, id, title, label, waits, updatedAt }) => (
        <li key={`${repository} ${id}`}>
          <a class="card" href={hashOf({ view: 'ticket', repository, ticket: id })}>
            <span class="title">{visible(title)}</span>
            <span class={waits ? 'state waits' : 'state'}>{label}</span>
            <span class="quiet">
              {id} · {visible(repository)} · {when(updatedAt)}
            </span>
          </a>
        </li>
      ))}
    </ul>
  );
}
