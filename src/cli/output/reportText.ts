import { holdLabel } from '../../domain/ticket/ticket.ts';
import { permissionText } from '../../domain/ticket/agentRequest.ts';
import { filled } from '../../domain/core/errors.ts';
import { errorTexts } from '../../domain/core/errorTexts.ts';
import type { TicketFact } from '../../domain/facts/ticketFacts.ts';
import { budgetUseText, isNear } from '../../domain/usage/budgets.ts';
import { documentsAt } from '../../protocol/api.ts';
import { approvalText } from '../../protocol/approvals.ts';
import { contextLines, noteLines } from './contextLines.ts';
import { threadLines } from './threadLines.ts';
import { providerMissText } from './inspectionText.ts';
import { hiddenWarning, oneLine, printable, section, untilText } from '../base/output.ts';
import type { ShownAttempt } from '../../protocol/shownAttempt.ts';
import type { EvidenceLine, Report } from './report.ts';
import { type CouncilLedger, soloSentence } from '../../domain/council/ledger.ts';
import type { Opinion } from '../../domain/council/opinions.ts';
import { documents } from '../../domain/documents/documents.ts';
import type { CouncilReport } from '../../protocol/council/councilReport.ts';

const shownLines = 15;

/** `short`: only what matters at a stop. */
export function reportText(
  report: Report,
  next: readonly string[],
  options: { readonly short: boolean },
): string {
  const sections = [
    [
      `${report.ticket} ${oneLine(report.title)}`,
      `  ${report.label} (${report.status})${report.hold ? `, ${holdLabel(report.hold.kind)}${untilText(report.hold.until)}` : ''}`,
    ],
    problem(report),
    analysis(report),
    missing(report),
    requests(report),
    questions(report),
    checklist(report),
    gate(report),
    ...(options.short
      ? report.gate === 'review'
        ? [onForge(report), delivery(report)]
        : []
      : [
          places(report),
          approvals(report),
          councilLines(report.councils),
          beads(report),
          evidence(report.evidence),
          assumptions(report),
          contextLines(report.context),
          noteLines(report.reviewNotes),
          failures(report.failures),
          delivery(report),
          threadLines(report.comments),
          record(report),
        ]),
    section(
      'Next:',
      next.map((command) => `  ${command}`),
    ),
  ];
  return sections.flat().join('\n');
}

function assumptions({ assumptions: list }: Report): string[] {
  const lines = list.map(({ bead, text }) => `    ${bead}: ${oneLine(text, 400)}`);
  return section('  Assumptions:', lines);
}

function problem({ error, failure }: Report): string[] {
  if (!error) return [];
  const tests =
    failure && failure.tests.length > 0 ? [`  Tests: ${oneLine(failure.tests.join(', '), 400)}`] : [];
  // Older messages contain the output.
  const isSaid = !failure || failure.output === '' || error.message.includes(failure.output);
  const output = isSaid ? [] : ['', ...printable(failure.output).split('\n').slice(-shownLines)];
  const said = [
    `  ${printable(error.message).replaceAll('\n', '\n  ')}`,
    ...tests,
    `  ${printable(error.nextStep)}`,
  ];
  return ['', ...said, ...output.map((line) => (line === '' ? '' : `    ${line}`))];
}

function analysis({ analysis: found }: Report): string[] {
  if (!found) return [];
  const advice = found.plan.map((line) => `    - ${oneLine(line, 400)}`);
  const names = found.party?.participants.map(({ name }) => name).join(', ') ?? '';
  const who = [found.party?.mode === 'solo' ? `solo: ${names}` : names, found.analyst]
    .filter((part) => part !== '')
    .join('; ');
  return [
    '',
    `  Failure analysis by ${oneLine(who, 160)}: ${found.recommendation}`,
    `  ${oneLine(found.rootCause, 1_000)}`,
    ...advice,
  ];
}

function missing({ outcome }: Report): string[] {
  const left = outcome.missing.filter(({ state }) => state === 'skipped');
  const lines = left.map(({ bead, reason }) => `    ${bead}: ${oneLine(reason, 400)}`);
  const { done, total } = outcome;
  return section(`  Incomplete: ${String(done)} of ${String(total)} beads are done. Skipped:`, lines);
}

function requests({ requests: open }: Report): string[] {
  return open.flatMap(({ source, content, until }) => {
    const who = `  ${oneLine(source, 80)} is waiting for you until ${new Date(until).toISOString()}:`;
    if (content.kind === 'permission') {
      // Whole, because exactly that is allowed.
      const wanted = [content.permission, ...content.patterns].join(' ');
      const cut = content.cut ? [`  ${errorTexts.REQUEST_CUT.join(' ')}`] : [];
      const warning = hiddenWarning(`${wanted}${content.command}`).map((line) => `  ${line}`);
      return [
        '',
        who,
        `  May it ${permissionText(content)}? ${printable(wanted)}`,
        `      ${printable(content.command).replaceAll('\n', '\n      ')}`,
        ...cut,
        ...warning,
      ];
    }
    const lines = content.questions.flatMap((question) => [
      `  ${oneLine(question.text, 2_000)}${question.multiple ? ' (several, with | between them)' : ''}`,
      ...question.options.map(
        (option) => `      ${oneLine(option.label, 200)}: ${oneLine(option.description, 300)}`,
      ),
    ]);
    return ['', who, ...lines];
  });
}

function questions({ questions: batch }: Report): string[] {
  if (!batch) return [];
  const lines = batch.questions.flatMap((question) => [
    `  ${question.id}: ${oneLine(question.question, 2_000)}`,
    ...question.options.map((option) => `      ${option.id}: ${oneLine(option.label, 300)}`),
  ]);
  return ['', ...(batch.commentary === '' ? [] : [`  ${oneLine(batch.commentary, 1_000)}`]), ...lines];
}

function checklist({ checklist: qa }: Report): string[] {
  if (!qa) return [];
  return [
    '',
    ...qa.items.flatMap((item) => [
      `  ${item.id}: ${oneLine(item.title)} (${item.severity})`,
      ...item.actions.map((action) => `      ${oneLine(action)}`),
    ]),
  ];
}

function gate({ approval, notes }: Report): string[] {
  const lines = notes.map((note) => `    ${oneLine(note, 600)}`);
  const asked = documentsAt(approval).map(({ artifact }) => artifact);
  return approval
    ? ['', `  Awaiting approval: ${asked.join(' and ')}, sha256 ${approval.sha256}`, ...lines]
    : [];
}

function places(report: Report): string[] {
  const facts: readonly ShownFact[] = [
    ...report.facts,
    ...(report.sandbox === null ? [] : [{ label: 'sandbox', text: report.sandbox }]),
  ];
  return ['', ...facts.map(factLine)];
}

const forgeFacts: readonly TicketFact['name'][] = ['pullRequest', 'failedChecks', 'pullRequestNews'];

function onForge({ facts }: Report): string[] {
  const shown = facts.filter(({ name }) => forgeFacts.includes(name));
  return shown.length > 0 ? ['', ...shown.map(factLine)] : [];
}

type ShownFact = Pick<Report['facts'][number], 'label' | 'text' | 'href'>;

function factLine({ label, text, href = '' }: ShownFact): string {
  const line = printable([text, href].join('  ').trim());
  return `  ${label.toLowerCase()}: ${line.replaceAll('\n', '\n    ')}`;
}

function approvals({ approvals: list }: Report): string[] {
  return section(
    'Approvals:',
    list.map((one) => {
      const gaps = one.gaps.length > 0 ? `, with gaps: ${one.gaps.join('; ')}` : '';
      const why = one.by === 'user' && one.reason !== '' ? `, because: ${one.reason}` : '';
      return `  ${one.at}  ${oneLine(`${approvalText(one)}${gaps}${why}`, 400)}`;
    }),
  );
}

function beads(report: Report): string[] {
  const lines = report.beads.map(({ id, title, status, iteration, commit }) => {
    const at = commit === null ? '' : `, commit ${commit.slice(0, 10)}`;
    return `  ${id}: ${status}, iteration ${String(iteration)}${at}  ${oneLine(title, 80)}`;
  });
  return section('Beads:', lines);
}

function evidence(lines: readonly EvidenceLine[]): string[] {
  const one = ({ of, command, timedOut, exitCode, signal, durationMs }: EvidenceLine): string => {
    const end = timedOut ? 'timed out' : `exit ${String(exitCode ?? signal)}`;
    return `  ${of}: ${oneLine(command, 120)} → ${end} (${(durationMs / 1_000).toFixed(1)} s)`;
  };
  return section('Commands the engine ran:', lines.map(one));
}

/** An interrupted iteration has no reason. */
function failures(failed: readonly ShownAttempt[]): string[] {
  const lines = failed.flatMap((one) => [
    `  ${attemptName(one)}: ${one.interrupted && one.reason === '' ? 'interrupted' : oneLine(one.reason, 400)}`,
    ...(one.tests.length === 0 ? [] : [`      tests: ${oneLine(one.tests.join(', '), 400)}`]),
    ...(one.note === '' ? [] : [`      note: ${oneLine(one.note, 600)}`]),
    ...(one.ref === '' ? [] : [`      kept: ${one.ref}`]),
  ]);
  return section('Failed attempts:', lines);
}

function attemptName({ of, bead, iteration }: ShownAttempt): string {
  if (bead !== null) return `${bead}, iteration ${String(iteration)}`;
  return `${of === 'setup' ? 'setup' : 'final test'}, attempt ${String(iteration)}`;
}

function delivery(report: Report): string[] {
  const lines = [
    report.finalTest ? `  final test: ${report.finalTest.passed ? 'passed' : 'failed'}` : '',
    report.integration
      ? `  integrated: ${report.integration.candidate.slice(0, 10)} (${String(report.integration.commitCount)} commits, ${report.integration.strategy})`
      : '',
    report.pullRequest &&
    report.pullRequest.location !== '' &&
    !report.facts.some(({ name }) => name === 'pullRequest')
      ? `  pull request: ${printable(report.pullRequest.location)}`
      : '',
    report.merge ? `  ${report.merge.disposition.replaceAll('_', ' ')}` : '',
  ].filter((line) => line !== '');
  return section('Delivery:', lines);
}

function record(report: Report): string[] {
  const chain = report.journal.ok
    ? `${String(report.journal.length)} entries, chain valid`
    : `BROKEN at entry ${String(report.journal.seq)}`;
  const { calls, input, output } = report.tokens;
  const near = report.budgets.filter(isNear).map((use) => `  ${budgetUseText(use)}`);
  const misses = report.providerMisses.map((one) => `  ${providerMissText(one)}`);
  return [
    '',
    `  journal: ${chain}`,
    `  models: ${String(calls)} messages, ${String(input)} tokens in, ${String(output)} out`,
    ...near,
    ...misses,
  ];
}

/** All reasons are in the JSON. */
function councilLines(councils: readonly CouncilReport[]): string[] {
  return section('Councils:', councils.flatMap(linesOf));
}

function linesOf({ domain, winner, tie, totals, opinions, checks, fewer, ledger }: CouncilReport): string[] {
  const scores = Object.entries(totals).map(([member, total]) => `${name(member)} ${String(total)}`);
  const how = opinions.length === 0 ? 'the only draft' : `${scores.join(', ')}${tie ? '; a tie' : ''}`;
  const found = Object.entries(checks).flatMap(([member, lines]) =>
    lines.map((line) => `found in ${name(member)}: ${oneLine(line, 400)}`),
  );
  const details = [
    ...(fewer
      ? [`only ${String(fewer.decided)} decided, although the quorum is ${String(fewer.wanted)}`]
      : []),
    ...opinions.flatMap(disagreement),
    ...found,
    ...(ledger ? ledgerLines(ledger) : []),
  ];
  return [
    `  ${documents[domain].title}: ${name(winner ?? '')} (${how})`,
    ...details.map((line) => `      ${line}`),
  ];
}

function disagreement({ draft, category, spread, dissent, voices }: Opinion): string[] {
  if (dissent.length === 0) return [];
  const said = voices
    .filter(({ voter }) => dissent.includes(voter))
    .map(({ voter, score }) => `${name(voter)} gave ${String(score)}`);
  return [
    `disagreement on ${category} of ${name(draft)} (spread ${String(spread)} of 20): ${said.join(', ')}`,
  ];
}

function ledgerLines({ members, winner, soloWouldDo }: CouncilLedger): string[] {
  const lines = members.map(({ member, calls, ms, input, output, isShared, texts, survived }) => {
    const about = isShared ? 'about ' : '';
    const used = `${String(calls)} calls, ${(ms / 1_000).toFixed(1)} s, ${about}${String(input)} tokens in, ${about}${String(output)} out`;
    return `${name(member)}: ${used}; ${String(survived)} of ${String(texts)} texts are in the result`;
  });
  return soloWouldDo ? [...lines, filled(soloSentence, { 0: name(winner) })] : lines;
}

function name(member: string): string {
  return oneLine(member, 80);
}
