import { oneLine } from '../../base/oneLine.ts';
import { raced } from '../../base/raced.ts';
import type { BeadsmithError } from '../../domain/core/errors.ts';
import type { PreflightReport } from '../../domain/beads/reports.ts';
import { shownName } from '../../domain/forge/forgePlace.ts';
import { templatePath } from '../../domain/forge/templatePath.ts';
import type { TicketSnapshot } from '../../domain/ticket/ticket.ts';
import type { ForgeCapabilities, RemoteForge } from '../../engine/ports/ports.ts';
import type { StepIo } from '../../engine/run/run.ts';
import { tell } from '../../engine/run/tell.ts';
import { ticketParts } from '../shared/ticket/ticketParts.ts';
import { attempted } from '../shared/worktree/worktree.ts';

type Check = PreflightReport['checks'][number];
type Line = readonly [name: string, result: Check['result'], message: string];

/** A forge that is slower doesn't keep a ticket from its work. */
const patienceMs = 15_000;

/**
 * Tells what the pull request will need and ask for (docs/decisions/209-what-the-end-asks-for.md). Nobody is
 * asked to sign in, and no answer keeps a ticket from being coded.
 */
export async function forgeChecks(io: StepIo, ticket: TicketSnapshot): Promise<readonly Check[]> {
  const { forges, git } = io.ports;
  const { branch, baseBranch } = ticketParts(ticket);
  const places = await attempted(io, async () => ((await forges.isThere()) ? forges.places() : []));
  const [place, other] = places.ok ? places.value : [];
  if (!place) return [];
  const lines: Line[] = [];
  if (other) {
    const names = places.ok ? places.value.map(({ base }) => `${base.remote} (${shownName(base)})`) : [];
    lines.push(['Pull request', 'pass', `At the end you choose where it goes: ${names.join(', ')}.`]);
  } else {
    const [to, from] = [shownName(place.base), shownName(place.head)];
    const text = `At the end you are asked before ${branch} is pushed to ${from}, and a pull request into "${baseBranch}" of ${to} is created.`;
    lines.push(['Pull request', 'pass', text], ...(await placeLines(io, baseBranch)));
  }
  const template = await attempted(io, async () =>
    ticket.baseCommit === null ? undefined : templatePath(await git.regularFiles(ticket.baseCommit)),
  );
  const path = template.ok ? template.value : undefined;
  lines.push([
    'Pull-request template',
    'pass',
    path === undefined ? 'The repository has none.' : `The text follows ${oneLine(path, 200)}.`,
  ]);
  for (const [name, , message] of lines) tell(io, `${name}: ${message}`);
  return lines.map(([name, result, message]) => ({ name, category: 'forge', result, message }));
}

async function placeLines(io: StepIo, base: string): Promise<readonly Line[]> {
  const answer = await attempted(io, () => inTime(io, ask(io, base)));
  if (!answer.ok) return [failureLine(answer.error)];
  if (answer.value === 'late') return [['Access', 'pass', 'GitHub takes long, so it was not checked.']];
  const { forge, account, can } = answer.value;
  const { base: target, head } = forge.place;
  const [to, from] = [shownName(target), shownName(head)];
  const who = account.login ?? 'an app';
  const { requiredChecks: required } = can;
  return [
    ['Sign-in', 'pass', `Signed in to ${target.host} as ${who} (${account.source}).`],
    can.mayPush
      ? ['Push right', 'pass', `${who} may push to ${from}.`]
      : [
          'Push right',
          'warning',
          `${who} may not push to ${from}. Check whether git may; otherwise fork the repository, and make the fork the remote "origin".`,
        ],
    ...(can.isArchived
      ? [['Archived', 'warning', `${to} or ${from} is archived. Unarchive it before the end.`] as const]
      : []),
    baseLine(can, { to, base, remote: target.remote }),
    ...(required.length === 0
      ? []
      : [['Required checks', 'pass', `Required for a merge into "${base}": ${listed(required)}.`] as const]),
    ...(can.merges.length === 0
      ? []
      : [['Merges', 'pass', `${to} allows: ${can.merges.map((one) => merges[one]).join(', ')}.`] as const]),
  ];
}

interface Asked {
  readonly forge: RemoteForge;
  readonly account: Awaited<ReturnType<RemoteForge['account']>>;
  readonly can: ForgeCapabilities;
}

async function ask({ ports: { forges } }: StepIo, base: string): Promise<Asked> {
  const forge = await forges.at();
  const account = await forge.account({ isQuiet: true });
  return { forge, account, can: await forge.capabilities({ base, isQuiet: true }) };
}

async function inTime<T>({ ports: { clock }, signal }: StepIo, work: Promise<T>): Promise<T | 'late'> {
  const done = new AbortController();
  const late = clock.sleep(patienceMs, AbortSignal.any([signal, done.signal])).then(() => 'late' as const);
  try {
    return await raced(signal, Promise.race([work, late]));
  } finally {
    done.abort();
  }
}

/** Without a network everything is as without a forge. */
function failureLine({ code, message, nextStep }: BeadsmithError): Line {
  return code === 'FORGE_UNREACHABLE'
    ? ['Access', 'pass', `Not checked: ${message}`]
    : [code === 'FORGE_SIGN_IN' ? 'Sign-in' : 'Access', 'warning', `${message} ${nextStep}`];
}

function baseLine(
  { baseTip, isBaseProtected }: ForgeCapabilities,
  { to, base, remote }: { readonly to: string; readonly base: string; readonly remote: string },
): Line {
  const name = 'Base branch';
  if (baseTip === undefined)
    return [name, 'warning', `${to} has no branch "${base}". Before the end: git push ${remote} ${base}`];
  return isBaseProtected
    ? [name, 'pass', `"${base}" is protected in ${to}: what is merged here may be refused there.`]
    : [name, 'pass', `"${base}" isn't protected in ${to}.`];
}

const merges = { merge: 'merge commits', squash: 'squash merges', rebase: 'rebase merges' } as const;

const mostListed = 10;

function listed(names: readonly string[]): string {
  const shown = names.slice(0, mostListed).map((name) => oneLine(name, 100));
  const more = names.length - shown.length;
  return `${shown.join(', ')}${more === 0 ? '' : ` and ${String(more)} more`}`;
}
