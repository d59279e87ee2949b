import { useEffect, useRef, useState } from 'preact/hooks';
import { visible } from '../../src/base/visible.ts';
import { abilitiesText } from '../../src/domain/team/abilities.ts';
import { needsText } from '../../src/domain/team/needs.ts';
import {
  atWorkWords,
  type FleetRunner,
  type FleetState,
  orderWords,
  type RunnerOrder,
  runnerState,
  type SpentDay,
  sumOfDays,
  waitingWords,
} from '../../src/protocol/team/fleet.ts';
import type { Me } from '../../src/protocol/team/served.ts';
import { Button } from '../base/elements.tsx';
import { cost, count, when } from '../base/format.ts';
import { Heading } from '../base/headings.tsx';
import { hashOf } from './place.ts';
import { Failed, isGone, messageOf, type Tools, useWork } from './work.tsx';

interface Props {
  readonly tools: Tools;
  readonly me: Me;
  readonly onGone: (why: string) => void;
}

/** Milliseconds between two readings. */
const pollMs = 5_000;

/** A team's runners with their orders, what waits for whom, and the cost of the last days. */
export function Fleet({ tools, me, onGone }: Props) {
  const { link, announce } = tools;
  const [fleet, setFleet] = useState<FleetState>();
  const [failure, setFailure] = useState('');
  const load = async (): Promise<void> => {
    try {
      setFleet(await link.fleet());
      setFailure('');
    } catch (error) {
      if (isGone(error)) onGone(error.message);
      else setFailure(messageOf(error));
    }
  };
  useEffect(() => everyWhile(load), []);
  const order = async (runner: FleetRunner, wanted: RunnerOrder): Promise<void> => {
    await link.order(runner.id, wanted);
    announce(`${runner.host} ${orderWords[wanted]}.`);
    await load();
  };
  return (
    <main>
      <h1>Fleet</h1>
      {failure !== '' && (
        <div class="failure" role="alert">
          <span class="grow">{failure}</span>
          <Button secondary onClick={() => void load()}>
            Retry
          </Button>
        </div>
      )}
      {fleet === undefined && failure === '' && <p class="loading">Loading…</p>}
      {fleet && (
        <>
          <section aria-labelledby="runners">
            <Heading id="runners">Runners</Heading>
            {fleet.runners.length === 0 && (
              <p class="quiet">
                No runner is there. Start one with <code>beadsmith runner</code>.
              </p>
            )}
            <ul class="tickets">
              {fleet.runners.map((runner) => (
                <Runner
                  key={runner.id}
                  runner={runner}
                  order={me.role === 'admin' ? (wanted) => order(runner, wanted) : undefined}
                />
              ))}
            </ul>
          </section>
          <Waiting fleet={fleet} />
          <Numbers fleet={fleet} />
          <Cost repositories={fleet.repositories} />
        </>
      )}
    </main>
  );
}

const buttons = { work: 'Resume', pause: 'Pause', drain: 'Drain', leave: 'Remove' } as const;
const offers = { work: ['pause', 'drain'], pause: ['work', 'drain'], drain: ['work'] } as const;

function Runner({
  runner,
  order,
}: {
  readonly runner: FleetRunner;
  /** Only for an admin. */
  readonly order: ((wanted: RunnerOrder) => Promise<void>) | undefined;
}) {
  const { id, host, version, can, atOnce, wanted, silent, driving, seenAt } = runner;
  const [asks, setAsks] = useState(false);
  const work = useWork();
  const name = `${visible(host)} (${id.slice(0, 8)})`;
  const card = useRef<HTMLLIElement>(null);
  // A button that is gone takes the focus with it.
  const ask = (isAsking: boolean): void => {
    setAsks(isAsking);
    card.current?.focus();
  };
  const give = async (one: RunnerOrder): Promise<void> => {
    if (order && (await work.run(() => order(one)))) ask(false);
  };
  const offered = silent || wanted === 'leave' ? [] : offers[wanted];
  return (
    <li class="card" tabIndex={-1} ref={card} aria-label={name}>
      <div class="title">
        {visible(host)} <code class="quiet">{id.slice(0, 8)}</code>
      </div>
      <div>
        <span class={silent ? 'state problem' : 'state'}>{runnerState(runner)}</span>{' '}
        <span class="quiet">
          · {driving.length} of {atOnce} {atOnce === 1 ? 'drive' : 'drives'} · last heard of {when(seenAt)} ·{' '}
          {visible(version)}
        </span>
      </div>
      {driving.length > 0 && (
        <div class="row">
          {driving.map(({ repository, ticket }) => (
            <a key={`${repository} ${ticket}`} href={hashOf({ view: 'ticket', repository, ticket })}>
              {ticket} <span class="quiet">{visible(repository)}</span>
            </a>
          ))}
        </div>
      )}
      <div class="quiet">{visible(abilitiesText(can))}</div>
      <Failed of={work} />
      {order && !asks && (
        <div class="actions">
          {offered.map((one) => (
            <Button
              key={one}
              secondary
              disabled={work.isBusy}
              label={`${buttons[one]} ${name}`}
              onClick={() => void give(one)}
            >
              {buttons[one]}
            </Button>
          ))}
          {(silent || wanted !== 'leave') && (
            <Button secondary disabled={work.isBusy} label={`Remove… ${name}`} onClick={() => ask(true)}>
              Remove…
            </Button>
          )}
        </div>
      )}
      {asks && (
        <div role="group" aria-label={`Remove ${name}`}>
          <p>
            {silent
              ? 'Forget this runner? It hasn’t been heard of. If it comes back, it is listed again.'
              : 'Remove this runner? It ends at a safe point of its drives, and others carry them on.'}
          </p>
          <div class="actions">
            <Button disabled={work.isBusy} onClick={() => void give('leave')}>
              Remove Runner
            </Button>
            <Button secondary onClick={() => ask(false)}>
              Cancel
            </Button>
          </div>
        </div>
      )}
    </li>
  );
}

function Waiting({ fleet: { waiting, deciders } }: { readonly fleet: FleetState }) {
  const people = deciders.people.map(visible).join(', ');
  return (
    <section aria-labelledby="waits">
      <Heading id="waits">Waiting for people</Heading>
      {waiting.length === 0 ? (
        <p class="quiet">Nothing waits for people.</p>
      ) : (
        <p class={people === '' ? 'problem' : 'quiet'}>
          {people === ''
            ? `Nobody of the team is a ${deciders.roles.join(' or ')}, who could decide.`
            : `A ${deciders.roles.join(' or ')} decides: ${people}.`}
        </p>
      )}
      <ul class="tickets">
        {waiting.map(({ repository, ticket, title, label, kind, since }) => (
          <li key={`${repository} ${ticket}`}>
            <a class="card" href={hashOf({ view: 'ticket', repository, ticket })}>
              <span class="title">{visible(title)}</span>
              <span class="state waits">
                {label}
                {kind !== 'needsYou' && ` · ${waitingWords[kind]}`}
              </span>
              <span class="quiet">
                {ticket} · {visible(repository)} · since {when(since)}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Numbers({ fleet: { queue, atWork, lacking, stages } }: { readonly fleet: FleetState }) {
  const inAll = atWorkWords(atWork);
  return (
    <section aria-labelledby="numbers">
      <Heading id="numbers">Tickets</Heading>
      <p class="quiet">
        Drives in the queue: {count(queue.waiting)} waiting, {count(queue.running)} running,{' '}
        {count(queue.later)} later
      </p>
      {inAll !== undefined && <p class="quiet">{inAll}</p>}
      {lacking.map(({ repository, ticket, needs }) => (
        <p key={`${repository} ${ticket}`} class="problem">
          {ticket} of {visible(repository)} waits for a runner with {visible(needsText(needs))}.
        </p>
      ))}
      {stages.length === 0 ? (
        <p class="quiet">The team has no tickets.</p>
      ) : (
        <dl class="figures wide">
          {stages.map(({ label, tickets }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{count(tickets)}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}

function Cost({ repositories }: { readonly repositories: FleetState['repositories'] }) {
  const broken = repositories.filter(({ failure }) => failure !== null);
  const spent = repositories.filter(({ days }) => days.some(({ answers }) => answers > 0));
  return (
    <section aria-labelledby="cost">
      <Heading id="cost">Cost of the last 7 days</Heading>
      {broken.map(({ name, failure }) => (
        <p key={name} class="problem">
          The tickets of {visible(name)} can’t be read ({failure}).
        </p>
      ))}
      {spent.length === 0 && <p class="quiet">No model answered.</p>}
      {spent.map(({ name, days }) => (
        <div key={name} class="card">
          <div class="title">
            {visible(name)} <span class="quiet">{price(sumOfDays(days))}</span>
          </div>
          <dl class="figures">
            {days.map((one) => (
              <div key={one.day}>
                <dt>{dayName(one.day)}</dt>
                <dd>{price(one)}</dd>
              </div>
            ))}
          </dl>
        </div>
      ))}
    </section>
  );
}

/** A lower bound if some prices aren't known. */
function price({ answers, money, unpriced }: SpentDay): string {
  if (money === null) return answers === 0 ? '–' : 'unknown';
  return `${unpriced > 0 ? '≥ ' : ''}${cost(money)}`;
}

function dayName(day: string): string {
  const language = document.documentElement.lang || 'en';
  return new Intl.DateTimeFormat(language, { month: 'short', day: 'numeric' }).format(
    new Date(`${day}T12:00`),
  );
}

/** At once, and again and again while the page is seen. */
function everyWhile(load: () => Promise<void>): () => void {
  let isOver = false;
  let timer: ReturnType<typeof setTimeout>;
  const poll = async (): Promise<void> => {
    if (!document.hidden) await load();
    if (!isOver) timer = setTimeout(() => void poll(), pollMs);
  };
  void poll();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
