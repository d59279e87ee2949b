import { type FormAction, formActions } from '../domain/workflow/forms.ts';
import type { Command } from './base/command.ts';
import { diffBead, getBeads, putBeads, acceptBead, rejectBead, suggest } from './commands/beads.ts';
import { rehearse } from './commands/calls/rehearse.ts';
import { replay } from './commands/calls/replay.ts';
import { clean } from './commands/clean.ts';
import { addContext, editContext, listContext, ruleCommands, withdrawContext } from './commands/context.ts';
import { doctor } from './commands/doctor.ts';
import { exportCommand } from './commands/export.ts';
import { inspectContext } from './commands/calls/inspect.ts';
import { handoff } from './commands/handoff.ts';
import { estimate } from './commands/estimate.ts';
import { answer, approve, edit, qa, skip } from './commands/gates.ts';
import {
  changeDismissal,
  listDismissals,
  removeDismissal,
  acceptFinding,
  beadOfFinding,
  dismissFinding,
  findings,
  reviewNote,
} from './commands/findings.ts';
import { limits } from './commands/limits.ts';
import { logs } from './commands/logs.ts';
import { loop } from './commands/loop.ts';
import { personas, prompts } from './commands/prompts.ts';
import {
  allow,
  changes,
  continueTicket,
  deny,
  follow,
  reply,
  resume,
  updateBase,
} from './commands/steering.ts';
import { restore } from './commands/restore.ts';
import { create, run, start } from './commands/run.ts';
import { list, show } from './commands/tickets.ts';
import { formCommand } from './drive/formCommand.ts';
import { usage } from './commands/usage.ts';
import { verify } from './commands/verify.ts';

/** The actions whose command has another name, or asks for more than their form. */
const asked: readonly FormAction[] = ['approve', 'continue', 'review_note'];
/** The commands that are no more than the form of an action. */
export const formCommands: readonly Command[] = formActions
  .filter((action) => !asked.includes(action))
  .map((action) => formCommand(action));

/** Every command, in the order in which help lists them. */
export const commands: readonly Command[] = [
  run,
  loop,
  create,
  estimate,
  start,
  list,
  show,
  logs,
  usage,
  inspectContext,
  rehearse,
  replay,
  exportCommand,
  verify,
  answer,
  skip,
  approve,
  edit,
  qa,
  reply,
  allow,
  deny,
  ...formCommands,
  updateBase,
  changes,
  continueTicket,
  follow,
  limits,
  handoff,
  resume,
  getBeads,
  putBeads,
  diffBead,
  acceptBead,
  rejectBead,
  suggest,
  findings,
  acceptFinding,
  dismissFinding,
  beadOfFinding,
  reviewNote,
  listDismissals,
  changeDismissal,
  removeDismissal,
  addContext,
  listContext,
  editContext,
  withdrawContext,
  ...ruleCommands,
  prompts,
  personas,
  doctor,
  restore,
  clean,
];

/** The command that the first one or two words name, and the words after it. */
export function findCommand(
  argv: readonly string[],
): { readonly command: Command; readonly rest: readonly string[] } | undefined {
  for (const length of [2, 1]) {
    const command = commands.find(({ name }) => name === argv.slice(0, length).join(' '));
    if (command) return { command, rest: argv.slice(length) };
  }
  return undefined;
}
