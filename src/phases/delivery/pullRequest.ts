import * as z from 'zod';
import { forgeText } from '../../base/forgeText.ts';
import { sha256 } from '../../base/sha256.ts';
import { BeadsmithError } from '../../domain/core/errors.ts';
import { PullRequestDraft, PullRequestReport } from '../../domain/beads/reports.ts';
import { timeoutMs } from '../../domain/settings/settings.ts';
import type { TicketSnapshot } from '../../domain/ticket/ticket.ts';
import type { HandlerDefinition, Run } from '../../engine/run/run.ts';
import { artifactChange } from '../shared/ticket/artifacts.ts';
import { ask } from '../shared/ask/ask.ts';
import { isFailureOf, replaceableCall } from '../shared/ask/providerError.ts';
import { ticketParts } from '../shared/ticket/ticketParts.ts';
import { parseStructured } from '../shared/structured/parseStructured.ts';
import { attempted, remakeWorktree } from '../shared/worktree/worktree.ts';
import { DeliveryFacts, gatherFacts } from './deliveryFacts.ts';
import { noSandbox } from '../../domain/environment/sandbox.ts';
import { evidenceRef } from '../../domain/proof/commitEvidence.ts';
import { acceptedFile } from '../../domain/guarded/acceptedChanges.ts';
import { guardedNames } from '../../domain/guarded/catalogue/guardedChange.ts';
import { weakeningLabels } from '../../domain/proof/weakening.ts';
import { count, evidenceTable } from './evidenceTable.ts';
import { fittedText } from '../../domain/forge/fittedText.ts';
import { traceability } from './traceability.ts';
import { framed } from './pullRequestTemplate.ts';

/** `refusal` says why there is no location. */
const Published = z.object({ location: z.string().nullable(), refusal: z.string() });

/**
 * Writes and publishes the pull request (docs/decisions/043-pull-request-text.md): the prose by a model, if
 * its answer is usable, the facts by the engine. Throws PULL_REQUEST_FAILED if the forge refuses.
 */
export const pullRequest: HandlerDefinition<'ready'> = {
  version: 1,
  run: async (run, ticket) => {
    const { branch, baseBranch } = ticketParts(ticket);
    const facts = await run.step('facts', DeliveryFacts, async (io) => {
      await remakeWorktree(io, ticket);
      return gatherFacts(io, ticket);
    });
    const draft = await word(run, ticket, facts);
    const title = `${ticket.id}: ${forgeText.plain(draft.title)}`;
    const body = pullRequestBody(ticket, draft, facts);
    const proposal = { ticket: ticket.id, title, body, branch, base: baseBranch, commit: facts.candidate };
    const published = await run.step('publish', Published, async (io) => {
      const { forge } = io.ports;
      const outcome = await attempted(io, async () => {
        const found = io.resume === 'first' ? undefined : await forge.find(ticket.id);
        if (found?.commit === facts.candidate) return found;
        await io.fence();
        return forge.publish(proposal);
      });
      if (!outcome.ok) return { location: null, refusal: outcome.error.message };
      const { location } = outcome.value;
      const report: PullRequestReport = {
        schema_version: 1,
        forge: forge.name,
        title,
        body,
        bodySha256: sha256(body),
        branch,
        base: baseBranch,
        candidate: facts.candidate,
        location,
      };
      io.save(artifactChange(ticket, 'pull_request_report', PullRequestReport.parse(report)));
      return { location, refusal: '' };
    });
    if (published.location === null)
      throw new BeadsmithError('PULL_REQUEST_FAILED', { reason: published.refusal });
    return { exit: 'ready' };
  },
};

async function word(run: Run, ticket: TicketSnapshot, facts: DeliveryFacts): Promise<PullRequestDraft> {
  const { settings } = ticketParts(ticket);
  try {
    const { value } = await ask(run, ticket, {
      key: 'draft',
      contextKey: 'pull_request',
      prompt: 'pull-request',
      member: settings.mainImplementer,
      sections: [
        { name: 'commits', content: commitsText(facts) },
        { name: 'reports', content: reportsText(facts) },
        { name: 'patch', content: facts.patch },
      ],
      parse: parseStructured({ schema: PullRequestDraft }),
      result: PullRequestDraft,
      activeMs: timeoutMs(run.limits.councilResponseTimeout),
      onProviderFailure: 'fail',
    });
    return value;
  } catch (error) {
    if (!isFailureOf(error, replaceableCall)) throw error;
    return fallbackDraft(ticket, facts);
  }
}

const { prose: line, cell, code } = forgeText;

type Command = DeliveryFacts['beads'][number]['commands'][number];

const mostLines = 100;

function limited(lines: readonly string[]): readonly string[] {
  const more = lines.length - mostLines;
  return more <= 0 ? lines : [...lines.slice(0, mostLines), `- … and ${String(more)} more`];
}

/** Forges refuse a text of more than 65,536 characters, and people write some of them. */
const mostChars = 60_000;

function section(heading: string, about: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : [`## ${heading}`, '', about, '', ...limited(lines)].join('\n');
}

export function pullRequestBody(
  ticket: TicketSnapshot,
  draft: PullRequestDraft,
  facts: DeliveryFacts,
): string {
  const end = `Ticket ${ticket.id}, commit \`${facts.candidate.slice(0, 12)}\`.\n`;
  const { template = '' } = facts;
  const body = [
    template === '' ? prose('Summary', draft.summary) : framed(template, bullets(draft.summary)),
    prose('Why', draft.why),
    prose('What changed', draft.what_changed),
    beadTable(facts),
    missing(facts),
    evidence(ticket, facts),
    traceability(facts.criteria),
    prose('Validation', draft.validation),
    unproved(facts),
    assumptions(facts),
    flaky(facts),
    weakened(facts),
    guarded(facts),
    leftOut(facts),
    ignored(facts),
    sandbox(facts),
    prose('Follow-ups', draft.follow_ups),
  ].filter((part) => part !== '');
  const closes = facts.issue === undefined ? '' : `Closes ${facts.issue}\n\n`;
  return `${fittedText(body.join('\n\n'), mostChars)}\n\n${closes}${end}`;
}

export function fallbackDraft(ticket: TicketSnapshot, facts: DeliveryFacts): PullRequestDraft {
  return {
    title: ticket.title.slice(0, 200),
    summary: [ticket.title],
    why: [],
    what_changed: facts.beads.map(({ title, summary }) => (summary === '' ? title : `${title}: ${summary}`)),
    validation: [],
    follow_ups: [],
  };
}

export function commitsText({ commits }: DeliveryFacts): string {
  return commits.map(({ sha, subject }) => `${sha.slice(0, 12)} ${subject}`).join('\n');
}

export function reportsText({ beads, finalTest, files }: DeliveryFacts): string {
  const lines = beads.map(({ id, iterations, commands, summary }) => {
    const ran = commands.map(outcome).join('; ') || 'no commands';
    return `${id} (${count(iterations, 'iteration')}): ${ran}${summary === '' ? '' : `\n  ${summary}`}`;
  });
  if (finalTest)
    lines.push(
      `Final test (${count(finalTest.attempts, 'attempt')}): ${finalTest.commands.map(outcome).join('; ')}`,
    );
  if (finalTest && finalTest.regression.length > 0)
    lines.push(`Whole suite: ${finalTest.regression.map(outcome).join('; ')}`);
  return [...lines, '', `Changed files: ${files.join(', ')}`].join('\n');
}

function beadTable({ beads }: DeliveryFacts): string {
  const rows = beads.map(
    ({ id, title, iterations, commit, commands }) =>
      `| ${cell(id)} | ${cell(title)} | ${commit === null ? 'no change' : `\`${commit.slice(0, 12)}\``} | ${iterations} | ${cell(tally(commands))} |`,
  );
  return [
    '## Beads',
    '',
    '| Bead | Title | Commit | Iterations | Checks |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}

function missing({ missing: left }: DeliveryFacts): string {
  const lines = left.map(
    ({ bead, title, state, reason }) =>
      `- ${line(bead)} (${state}): ${line(title)}${reason === '' ? '' : `. ${line(reason)}`}`,
  );
  const about = 'The ticket is incomplete. These beads of its plan are not in this pull request:';
  return section('Missing', about, lines);
}

function evidence(ticket: TicketSnapshot, { proofs, commits, finalTest }: DeliveryFacts): string {
  const shas = commits.map(({ sha }) => sha);
  const table = evidenceTable(proofs, shas);
  const about = finalTest && finalTest.summary !== '' ? [`Final test: ${line(finalTest.summary)}`] : [];
  const how =
    table === ''
      ? []
      : ['Beadsmith ran these commands on the files of each commit:', table, repetition(ticket)];
  const parts = [...about, ...how];
  return parts.length === 0 ? '' : ['## Evidence', ...parts].join('\n\n');
}

function repetition({ id }: TicketSnapshot): string {
  return `\`beadsmith verify ${id}\` runs them again. With the number or address of a pull request it does so in any clone, with the signed evidence that is in this text. It also reads the notes on the commits (\`${evidenceRef}\`, once they are pushed), or a file (\`--evidence\`).`;
}

function sandbox({ unsandboxed: gap }: DeliveryFacts): string {
  return gap === undefined ? '' : `## Sandbox\n\n${noSandbox(gap).message}`;
}

function unproved({ beads }: DeliveryFacts): string {
  const lines = beads.flatMap(({ id, unproved: reason }) =>
    reason === undefined ? [] : [`- ${line(id)}: ${line(reason) || 'the plan gives no reason'}`],
  );
  return lines.length === 0 ? '' : ['## Not proved by a command', '', ...lines].join('\n');
}

function assumptions({ beads }: DeliveryFacts): string {
  const lines = beads.flatMap((bead) => bead.assumptions.map((text) => `- ${line(bead.id)}: ${line(text)}`));
  return section('Assumptions', 'Nobody was asked about these:', lines);
}

function flaky({ beads, finalTest }: DeliveryFacts): string {
  const commands = [
    ...beads.flatMap((bead) => bead.commands),
    ...(finalTest?.commands ?? []),
    ...(finalTest?.regression ?? []),
  ];
  const found = commands.filter((item) => item.flaky === true);
  const lines = found.map(
    ({ command, flakyTests = [] }) =>
      `- ${code(command)}${flakyTests.length === 0 ? '' : `: ${line(flakyTests.join(', '))}`}`,
  );
  return lines.length === 0 ? '' : ['## Flaky tests', '', ...new Set(lines)].join('\n');
}

function weakened({ beads, finalTest }: DeliveryFacts): string {
  const works = [
    ...beads.map((bead) => ({ ...bead, name: `bead ${bead.id}` })),
    ...(finalTest ? [{ ...finalTest, name: 'final test' }] : []),
  ];
  const lines = works.flatMap((work) =>
    work.weakened.map((change) => {
      const accepted = work.weakenedAt === undefined ? '' : `, accepted ${work.weakenedAt.slice(0, 10)}`;
      return `${changeText(change, weakeningLabels[change.kind])}; ${line(work.name)}${accepted}`;
    }),
  );
  return section('Weaker tests', 'A person accepted these changes:', lines);
}

function guarded(facts: DeliveryFacts): string {
  const lines = facts.guarded.map((change) => {
    const by = change.byRepository === true ? `by ${code(acceptedFile)}` : change.acceptedAt.slice(0, 10);
    return `${changeText(change, guardedNames[change.kind])}; ${line(change.name)}, accepted ${by}`;
  });
  const about = 'A person or the base branch accepted these changes:';
  return section('Secrets and protected files', about, lines);
}

function changeText(
  { path, line: at, text }: { readonly path: string; readonly line: number | null; readonly text: string },
  label: string,
): string {
  const place = at === null ? path : `${path}:${String(at)}`;
  return `- ${code(place)}: ${label}${text === '' ? '' : ` (${code(text)})`}`;
}

function leftOut({ beads }: DeliveryFacts): string {
  const files = [...new Set(beads.flatMap((bead) => bead.leftOut))];
  return files.length === 0
    ? ''
    : `## Left out\n\nGenerated files that were not committed: ${files.map(code).join(', ')}.`;
}

function ignored({ ignored: paths = [] }: DeliveryFacts): string {
  const about = 'The work made these paths, and git ignores them, so they are not in this pull request:';
  const lines = paths.map((path) => `- ${code(path)}`);
  return section('Ignored files', about, lines);
}

function prose(heading: string, items: readonly string[]): string {
  const text = bullets(items);
  return text === '' ? '' : `## ${heading}\n\n${text}`;
}

function bullets(items: readonly string[]): string {
  const lines = items.map(line).filter((item) => item !== '');
  return limited(lines.map((item) => `- ${item}`)).join('\n');
}

function tally(commands: readonly Command[]): string {
  return commands.length === 0
    ? 'none'
    : `${commands.filter((item) => item.passed).length} of ${commands.length} passed`;
}

function outcome({ command, passed, seconds, known, flaky }: Command): string {
  const again = flaky === true ? ', after it failed once' : '';
  if (known === undefined) return `\`${command}\` ${passed ? 'passed' : 'failed'} in ${seconds} s${again}`;
  return `\`${command}\` failed in ${seconds} s only as it does on the base${known === 0 ? '' : ` (${count(known, 'test')})`}`;
}
