import { beadsDocument } from '../../domain/documents/beads.ts';
import { Blueprint } from '../../domain/beads/bead.ts';
import { timeoutMs } from '../../domain/settings/settings.ts';
import type { HandlerDefinition } from '../../engine/run/run.ts';
import { ask } from '../shared/ask/ask.ts';
import { runCouncil } from '../shared/council/runCouncil.ts';
import { parseStructured } from '../shared/structured/parseStructured.ts';
import { takeUserContext } from '../shared/ticket/ticketParts.ts';
import { yamlText } from '../shared/ticket/artifacts.ts';
import { applyRewindEdit } from '../shared/gate/rewind.ts';
import { blueprintChecker } from './blueprint.ts';
import { regenerateNote } from '../shared/council/drafts.ts';

/**
 * DRAFTING_BEADS: every member cuts the approved PRD into beads
 * (docs/decisions/018-council-drafts-and-quorum.md).
 */
export const draftBeads: HandlerDefinition<'ready'> = {
  version: 1,
  run: async (run, ticket) => {
    await applyRewindEdit(run, ticket);
    const sections = [...(await takeUserContext(run, ticket)), ...regenerateNote(ticket)];
    await runCouncil(run, ticket, beadsDocument.kind, async (branch, member, onProviderFailure, lens) => {
      const { value } = await ask(branch, ticket, {
        key: 'draft',
        contextKey: 'beads_draft',
        prompt: 'beads-draft',
        member,
        sections: [...sections, ...lens],
        parse: {
          inStep: async (io) => parseStructured({ schema: Blueprint, check: await blueprintChecker(io) }),
        },
        result: Blueprint,
        activeMs: timeoutMs(run.limits.councilResponseTimeout),
        onProviderFailure,
      });
      return {
        content: yamlText({ beads: value.beads }),
        metrics: {
          beadCount: value.beads.length,
          totalTestCount: value.beads.reduce((sum, bead) => sum + bead.tests.length, 0),
          totalAcceptanceCriteriaCount: value.beads.reduce(
            (sum, bead) => sum + bead.acceptanceCriteria.length,
            0,
          ),
        },
      };
    });
    return { exit: 'ready' };
  },
};
