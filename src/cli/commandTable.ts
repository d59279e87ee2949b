import { type FormAction, formActions } from '../domain/workflow/forms.ts';
import type { Command } from './base/command.ts';
import * as beads from './commands/beads.ts';
import * as calls from './commands/calls.ts';
import * as context from './commands/context.ts';
import * as data from './commands/data.ts';
import * as fleet from './commands/fleet.ts';
import * as findings from './commands/findings.ts';
import * as gates from './commands/gates.ts';
import { importCommand } from './commands/import.ts';
import * as installation from './commands/installation.ts';
import { loop } from './commands/loop.ts';
import { rehearse } from './commands/rehearse.ts';
import { create, run, start } from './commands/run.ts';
import { move } from './commands/move.ts';
import { runner } from './commands/runner.ts';
import { serve } from './commands/serve.ts';
import * as steering from './commands/steering.ts';
import * as team from './commands/team.ts';
import * as tickets from './commands/tickets.ts';
import * as usage from './commands/usage.ts';
import { verify } from './commands/verify.ts';
import { formCommand } from './drive/actionCommand.ts';

/** Actions whose command has another name, or needs more than their form. */
const asked: readonly FormAction[] = ['approve', 'continue', 'review_note'];
export const formCommands: readonly Command[] = formActions
  .filter((action) => !asked.includes(action))
  .map((action) => formCommand(action));

/** In the order of help. */
export const commands: readonly Command[] = [
  run,
  loop,
  create,
  importCommand,
  usage.estimate,
  start,
  tickets.list,
  tickets.show,
  tickets.logs,
  usage.usage,
  calls.inspect,
  rehearse,
  calls.replay,
  data.exportCommand,
  verify,
  gates.answer,
  gates.skip,
  gates.approve,
  gates.edit,
  gates.qa,
  steering.reply,
  steering.allow,
  steering.deny,
  ...formCommands,
  steering.updateBase,
  steering.changes,
  steering.continueTicket,
  steering.follow,
  steering.limits,
  context.handoff,
  steering.resume,
  beads.get,
  beads.put,
  beads.diff,
  beads.accept,
  beads.reject,
  beads.suggest,
  findings.list,
  findings.accept,
  findings.dismiss,
  findings.makeBead,
  findings.reviewNote,
  findings.listDismissals,
  findings.changeDismissal,
  findings.removeDismissal,
  context.add,
  context.list,
  context.edit,
  context.withdraw,
  ...context.rules,
  context.promptRules,
  team.install,
  team.up,
  runner,
  move,
  fleet.show,
  ...fleet.control,
  fleet.need,
  fleet.commits,
  fleet.limit,
  serve,
  team.pair,
  team.join,
  team.devices,
  team.revoke,
  installation.prompts,
  installation.personas,
  installation.doctor,
  data.restore,
  data.clean,
];

/** A name has one or two words. */
export function findCommand(
  argv: readonly string[],
): { readonly command: Command; readonly rest: readonly string[] } | undefined {
  for (const length of [2, 1]) {
    const command = commands.find(({ name }) => name === argv.slice(0, length).join(' '));
    if (command) return { command, rest: argv.slice(length) };
  }
  return undefined;
}
