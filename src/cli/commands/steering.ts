import * as z from 'zod';
import { readTime } from '../../base/timeOfDay.ts';
import { recommendations } from '../../domain/beads/analysis.ts';
import { BeadsmithError, invalidInput } from '../../domain/core/errors.ts';
import { ticketLimitsDocument } from '../../domain/documents/ticketLimits.ts';
import {
  limitNames,
  LimitsChange,
  limitsHash,
  limitsOf,
  type TicketLimits,
  writtenLimit,
} from '../../domain/settings/limits.ts';
import type { AgentQuestion } from '../../domain/ticket/agentRequest.ts';
import { inboxBodies } from '../../domain/ticket/inbox.ts';
import type { TicketDetail } from '../../protocol/api.ts';
import { UsageError } from '../base/args.ts';
import type { Command } from '../base/command.ts';
import { actionCommand } from '../drive/actionCommand.ts';
import { documentCommand } from '../drive/documentCommand.ts';
import { reasonOption } from '../options/options.ts';
import { limitOption, limitOptions, namedLimits } from '../options/settingsOptions.ts';

export const follow = actionCommand({
  name: 'follow',
  kind: 'follow_analysis',
  words: 'BEAD retry|skip|escalate|split|replan|approve',
  about: 'decide what should happen to a failed bead, as its failure analysis recommends or otherwise',
  takes: [2, 2],
  options: {
    ...reasonOption,
    sha256: {
      value: 'HASH',
      about: 'with approve: hash of the proposed beads; only exactly those are approved',
    },
  },
  body: ({ args, words: [bead = '', choice = ''], detail }) => {
    const why = { bead, reason: args.text('reason') ?? '' };
    const proposed = detail.ticket.error?.diagnostics['sha256'];
    const sha256 = args.text('sha256') ?? (typeof proposed === 'string' ? proposed : '');
    const read = inboxBodies.follow_analysis.safeParse(
      choice === 'approve' ? { ...why, choice, sha256 } : { ...why, choice },
    );
    if (!read.success)
      throw new UsageError(`Specify a bead and one of: ${recommendations.join(', ')}, approve.`);
    return read.data;
  },
});

export const continueTicket = actionCommand({
  name: 'continue',
  kind: ({ ticket: { hold } }) => (hold?.kind === 'budget' ? 'resume' : 'continue'),
  about: 'resume the interrupted session of a ticket that is blocked, or paused by a limit',
  body: () => ({}),
});

export const updateBase = actionCommand({
  name: 'update-base',
  kind: 'update_base',
  about: 'update the branch to the current base, and prove it again',
  options: {
    base: { value: 'BRANCH', about: 'another base branch, or origin/BRANCH' },
    keep: { about: 'keep the commit that the ticket started from, if the base is gone or was rewritten' },
  },
  body: ({ args }) => {
    const baseBranch = args.text('base');
    if (baseBranch !== undefined && args.flag('keep'))
      throw new UsageError('Use either --base or --keep, not both.');
    return { ...(baseBranch === undefined ? {} : { baseBranch }), keep: args.flag('keep') };
  },
});

export const changes = actionCommand({
  name: 'changes',
  kind: 'changes',
  words: 'TEXT …',
  about: 'request changes; each TEXT becomes a fix bead or a note',
  takes: [1, 50],
  options: {
    bead: { value: 'ID', about: 'affected bead' },
    file: { value: 'PATH', about: 'affected file' },
    line: { value: 'N', about: 'line in the affected file' },
  },
  body: ({ args, words }) => {
    const [bead, file, line] = [args.text('bead'), args.text('file'), args.whole('line')];
    const place = {
      ...(bead === undefined ? {} : { bead }),
      ...(file === undefined ? {} : { file }),
      ...(line === undefined ? {} : { line }),
    };
    return { items: words.map((text) => ({ text, ...place })) };
  },
});

export const resume = actionCommand({
  name: 'resume',
  kind: 'resume',
  about: 'resume a ticket that is paused, by a person or by a limit, or that waits for its provider',
  options: {
    at: {
      value: 'TIME',
      about: 'when a wait for a provider ends, for example 14:30 or "2026-11-28 09:00"; default: now',
    },
  },
  body: ({ args }) => {
    const text = args.text('at');
    if (text === undefined) return {};
    const at = readTime(text, Date.now());
    if (at === undefined)
      throw new UsageError(`"${text}" is not a valid time. Use 14:30 or "2026-11-28 09:00".`);
    return { at };
  },
});

export const reply = actionCommand({
  name: 'reply',
  kind: 'question_reply',
  words: 'TEXT …',
  about: 'answer an agent: one TEXT for each question, either an option or your own words',
  takes: [0, 50],
  options: { decide: { about: 'let the agent decide' } },
  body: ({ args, words, detail }) => {
    const { id, content } = requestOf(detail, 'question');
    if (args.flag('decide')) return { request: id, answers: null };
    const questions = content.kind === 'question' ? content.questions : [];
    if (words.length !== questions.length)
      throw new UsageError(
        `${detail.ticket.id} waits for ${String(questions.length)} answers; specify one TEXT for each, or --decide.`,
      );
    return {
      request: id,
      answers: questions.map((question, index) => answerTo(question, words[index] ?? '')),
    };
  },
});

export const allow = permissionCommand('allow', 'allow the requested permission once');
export const deny = permissionCommand(
  'deny',
  'deny the requested permission; the agent continues without it',
);

function permissionCommand(name: 'allow' | 'deny', about: string): Command {
  return actionCommand({
    name,
    kind: 'permission_reply',
    about,
    body: ({ detail }) => ({ request: requestOf(detail, 'permission').id, allow: name === 'allow' }),
  });
}

function requestOf(
  { requests }: TicketDetail,
  kind: 'question' | 'permission',
): TicketDetail['requests'][number] {
  const request = requests.find(({ content }) => content.kind === kind);
  if (!request) throw new BeadsmithError('REQUEST_GONE');
  return request;
}

/** Several options stand with `|` between them. */
function answerTo({ multiple }: AgentQuestion, text: string): string[] {
  return multiple ? text.split('|').flatMap((part) => (part.trim() === '' ? [] : [part.trim()])) : [text];
}

const about =
  'change the limits of a started ticket from its next run on, by options or as a document; without any, print them';
const changeLimits = actionCommand({
  name: 'limits',
  kind: 'limits',
  about,
  body: ({ args, detail }) => {
    const result = LimitsChange.safeParse(namedLimits(args));
    if (!result.success) throw invalidInput('A limit', z.prettifyError(result.error));
    return {
      baseSha256: limitsHash(presentLimits(detail)),
      limits: result.data,
      reason: args.text('reason') ?? '',
    };
  },
});
const limitsDocument = documentCommand({
  name: 'limits',
  artifact: ticketLimitsDocument.kind,
  about,
  options: { ...limitOptions, ...reasonOption },
  shown: (detail) => limitLines(presentLimits(detail)).join('\n'),
});

export const limits: Command = {
  ...limitsDocument,
  run: (context, args) => {
    if (Object.keys(namedLimits(args)).length === 0) return limitsDocument.run(context, args);
    if (args.text('file') !== undefined || args.text('base') !== undefined)
      throw new UsageError('Use either single limits, or --file with --base.');
    return changeLimits.run(context, args);
  },
};

function presentLimits({ ticket }: TicketDetail): TicketLimits {
  const present = limitsOf(ticket);
  if (present) return present;
  throw new BeadsmithError('ACTION_NOT_ALLOWED', {
    status: 'Draft',
    action: 'change limits',
    allowed: 'start (sets the limits)',
  });
}

/** As options, so that a line can be copied and changed. */
function limitLines(present: TicketLimits): string[] {
  return limitNames.map((name) => {
    const option = limitOption(name);
    const written = `--${option} ${String(writtenLimit(name, present[name]))}`;
    return `  ${written.padEnd(28)}${limitOptions[option]?.about ?? ''}`;
  });
}
