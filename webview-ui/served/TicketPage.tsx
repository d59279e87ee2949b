import { Heading } from '../base/headings.tsx';
import { useState } from 'preact/hooks';
import { jsonOf } from '../../src/base/json.ts';
import { visible } from '../../src/base/visible.ts';
import type { Bead } from '../../src/domain/beads/bead.ts';
import { planLines } from '../../src/domain/beads/beadPlan.ts';
import { mayDecide } from '../../src/domain/team/keys.ts';
import type { Me, ServedDetail } from '../../src/protocol/team/served.ts';
import { documentName, when } from '../base/format.ts';
import { type Decide, Decisions, DiffDecision } from './Decisions.tsx';
import { ActionForms } from './ActionForms.tsx';
import { AgentRequest, Interview } from './Questions.tsx';
import { Qa } from './Qa.tsx';
import { ShownText, ShownValue } from './shownText.tsx';
import { Failed, type Tools, useWork } from './work.tsx';

interface Props {
  readonly tools: Tools;
  readonly me: Me;
  readonly detail: ServedDetail;
  readonly onDecided: () => Promise<void>;
}

/** Milliseconds between questions about an outcome, and their number. */
const pauseMs = 700;
const mostAsks = 20;

export function TicketPage({ tools: { link, announce }, me, detail, onDecided }: Props) {
  const [said, setSaid] = useState('');
  const work = useWork();
  const place = { repository: detail.repository, ticket: detail.id };
  const say = (text: string): void => {
    setSaid(text);
    announce(text);
  };
  const decide: Decide = (kind, body, done) =>
    work.run(async () => {
      setSaid('');
      const id = await link.decide(place, kind, body);
      say('Sent; applied when work resumes.');
      for (let asks = 0; asks < mostAsks; asks++) {
        const { state, message } = await link.outcome(place, id);
        if (state === 'refused') {
          setSaid('');
          throw new Error(message);
        }
        if (state === 'consumed') {
          say(done);
          break;
        }
        await new Promise((next) => setTimeout(next, pauseMs));
      }
      await onDecided();
    });
  const mayI = mayDecide({ role: me.role, revokedAt: null });
  const shown = mayI ? detail : { ...detail, can: [] };
  const shared = { disabled: work.isBusy, decide };
  return (
    <main>
      <h1>{visible(detail.title)}</h1>
      <p>
        <span class={detail.waits ? 'state waits' : 'state'}>{detail.label}</span>{' '}
        <span class="quiet">
          {detail.id} · {detail.repository} · {when(detail.updatedAt)}
        </span>
      </p>
      {said !== '' && <p class="done">{said}</p>}
      <Failed of={work} />
      {detail.error && (
        <p class="failure">
          {visible(detail.error.message)} {visible(detail.error.nextStep)}
        </p>
      )}
      {detail.description !== '' && <p class="plain">{visible(detail.description)}</p>}
      {!mayI && detail.can.length > 0 && <p class="quiet">Your role is reader: others decide.</p>}
      {mayI && detail.batch && <Interview key={detail.batch.number} batch={detail.batch} {...shared} />}
      {mayI &&
        detail.requests.map((request) => <AgentRequest key={request.id} request={request} {...shared} />)}
      {mayI && detail.qa && <Qa key={detail.qa.sha256} qa={detail.qa} {...shared} />}
      {detail.documents.map((document) => (
        <section key={document.artifact} aria-label={documentName(document.artifact)}>
          <Heading>{documentName(document.artifact)}</Heading>
          {document.artifact === 'beads' ? (
            <Beads content={document.content} />
          ) : (
            <ShownText text={document.content} />
          )}
          <p class="quiet">
            SHA-256 <code class="hash">{document.sha256}</code>
          </p>
        </section>
      ))}
      {detail.diffs.map((diff) => (
        <section key={diff.bead} aria-label={diff.bead}>
          <Heading>
            {visible(diff.title)} <span class="quiet">{diff.bead}</span>
          </Heading>
          <ShownText text={diff.content} isDiff />
          <p class="quiet">
            SHA-256 <code class="hash">{diff.sha256}</code>
          </p>
          <DiffDecision diff={diff} can={shown.can} {...shared} />
        </section>
      ))}
      {detail.history.length > 0 && (
        <details>
          <summary>What happened</summary>
          <ol class="history">
            {detail.history.map(({ label, at, endedAt }, row) => (
              <li key={row}>
                {label} <span class="quiet">{endedAt === null ? `since ${when(at)}` : when(at)}</span>
              </li>
            ))}
          </ol>
        </details>
      )}
      <ActionForms detail={shown} {...shared} />
      <Decisions detail={shown} {...shared} />
    </main>
  );
}

/** The fields that their approval covers. */
function Beads({ content }: { readonly content: string }) {
  const beads = jsonOf(content);
  if (!Array.isArray(beads)) return <ShownText text={content} />;
  const rows = planLines(beads as Bead[])
    .split('\n')
    .filter((line) => line !== '')
    .map(jsonOf);
  return (
    <>
      {rows.map((row, at) => (
        <div key={at} class="card">
          <ShownValue value={row} />
        </div>
      ))}
    </>
  );
}
