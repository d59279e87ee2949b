import type { TicketState } from '../../../src/protocol/pages/ticket.ts';
import { when } from '../../base/format.ts';

/** Known facts of a ticket, each with its label, within a list of definitions. */
export function Facts({ facts }: { readonly facts: TicketState['head']['facts'] }) {
  return (
    <>
      {facts.map(({ name, label, text, at, isCode, href }) => (
        <div key={name}>
          <dt>{label}</dt>
          <dd class={isCode ? 'code wrap' : 'plain'}>
            {href === undefined ? (text ?? when(at ?? 0)) : <a href={href}>{text}</a>}
          </dd>
        </div>
      ))}
    </>
  );
}
