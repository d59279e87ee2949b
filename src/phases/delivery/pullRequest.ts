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
import { commitsText, fallbackDraft, pullRequestBody, reportsText } from './pullRequestText.ts';

/** `refusal` says why there is no location. */
const Published = z.object({ location: z.string().nullable(), refusal: z.string() });

/**
 * Writes and publishes the pull request (docs/decisions/043-pull-request-text.md). The model writes the
 * prose; the engine fills in the facts (commits, evidence, files). Without a usable answer a plain text takes
 * its place. Throws PULL_REQUEST_FAILED if the forge refuses.
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
