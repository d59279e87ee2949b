import type { App } from '../app/app.ts';
import { BeadsmithError } from '../domain/errors.ts';
import type { InboxBody } from '../domain/inbox.ts';
import { parseMember } from '../domain/member.ts';
import { councilOf } from '../domain/settings.ts';
import type { Args } from './args.ts';
import type { CommandContext } from './commandContext.ts';
import { limitsAtStart, settingsOf } from './settingsOptions.ts';
import { UsageError } from './usageError.ts';

/**
 * Files the start of a draft with the settings of the options. A process that drives checks the models first, since it needs OpenCode anyway.
 * Throws UsageError without --model (naming the models there are), MODEL_UNKNOWN, OPENCODE_MISSING, NO_COMMITS, BASE_BRANCH_MISSING.
 */
export async function startTicket(context: CommandContext, app: App, args: Args, ticket: string): Promise<string> {
  const body = await startBody(app, args);
  if (app.engine) await checkModels(app, councilOf(body.settings));
  const { dirty } = app.repository;
  if (dirty > 0)
    context.output.event({
      type: 'note',
      message: `Your checkout has ${String(dirty)} uncommitted ${dirty === 1 ? 'change' : 'changes'}. They stay as they are, and the ticket doesn't see them: it starts from the last commit.`,
    });
  const { id } = await app.client.act(ticket, 'start', body);
  context.output.event({ type: 'posted', ticket, action: 'start', id });
  return id;
}

async function startBody(app: App, args: Args): Promise<InboxBody<'start'>> {
  if (args.text('model') === undefined) {
    const models = app.engine ? await app.ports.agent.models().catch(() => []) : [];
    throw new UsageError(
      `A ticket needs --model PROVIDER/MODEL to start.${models.length > 0 ? ` OpenCode knows: ${shortList(models)}` : ' "beadsmith doctor" lists the models.'}`,
    );
  }
  const base = args.text('base');
  return { settings: settingsOf(args), limits: limitsAtStart(args), ...(base === undefined ? {} : { baseBranch: base }) };
}

async function checkModels(app: App, members: readonly string[]): Promise<void> {
  const known = await app.ports.agent.models();
  for (const text of members) {
    const { provider, model } = parseMember(text);
    if (!known.includes(`${provider}/${model}`)) throw new BeadsmithError('MODEL_UNKNOWN', { model: text, models: shortList(known) });
  }
}

function shortList(models: readonly string[]): string {
  const shown = models.slice(0, 30).join(', ');
  return models.length > 30 ? `${shown} and ${String(models.length - 30)} more` : shown || 'none; log in with "opencode auth login"';
}
