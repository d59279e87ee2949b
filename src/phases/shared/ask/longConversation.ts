import { withoutSecretsInValue } from '../../../base/outputSecrets.ts';
import { defaultTokenBudget } from '../../../context/buildMinimalContext.ts';
import { promptBudget } from '../../../context/promptBudget.ts';
import { turnsToFold } from '../../../domain/conversation/fold.ts';
import { EarlierTurns, type Turn, turnsOf, turnText } from '../../../domain/conversation/turns.ts';
import type { StepIo } from '../../../engine/run/run.ts';
import { artifactChange, storedJson } from '../ticket/artifacts.ts';
import type { AskScope, OpenSession, Call } from '../structured/askTypes.ts';
import { factsOf } from './assemblePrompt.ts';
import { readNotes } from './sessionNotes.ts';

/** `keep`: notes the session that continues the turns that were taken out. */
interface Kept<T> {
  readonly call: Call<T>;
  readonly keep: (session: string) => void;
}

/**
 * Makes a call whose session has too many turns in a fresh one, with older turns shortened
 * (docs/decisions/156-long-conversations.md). Decided once, before anything is sent.
 */
export async function withoutOldTurns<T>(io: StepIo, scope: AskScope, call: Call<T>): Promise<Kept<T>> {
  const unchanged = { call, keep: () => undefined };
  const { session, inFreshSession, ...rest } = call;
  if (!session || !inFreshSession) return unchanged;
  const { sessions, prompts } = readNotes(io.earlier);
  if (prompts.some((note) => note.session === session.id)) return unchanged;
  // A session that an earlier attempt at this step opened was to be asked instead.
  const wasFolded = sessions.length > 0;
  if (!wasFolded && call.bead && (await hasFolded(io, scope.runId))) return unchanged;
  const turns = await turnsSoFar(io, session);
  const folded = await oldTurns(io, scope, { member: call.member, turns });
  if (folded === 0 && !wasFolded) return unchanged;
  const { sections, ...instead } = inFreshSession;
  let isKept = false;
  const history = turns.slice(0, folded).map((turn, index) => turnText(turn, index + 1, { masked: true }));
  const last = turns
    .slice(folded)
    .map((turn, index) => turnText(turn, folded + index + 1, { masked: false }));
  return {
    call: {
      ...rest,
      ...instead,
      sections: async (one) => [
        { name: 'history', content: history.join('\n\n') },
        ...(typeof sections === 'function' ? await sections(one) : sections),
        { name: 'last_turns', content: last.join('\n\n') },
      ],
    },
    keep: (id) => {
      if (isKept) return;
      isKept = true;
      const content = JSON.stringify({ schema_version: 1, turns: withoutSecretsInValue(turns) });
      io.save(artifactChange(scope.ticket, `earlier_turns:${id}`, content));
    },
  };
}

/** An iteration gives up what a cache holds of it once at most. */
async function hasFolded(io: StepIo, run: string): Promise<boolean> {
  const calls = await io.ports.store.plannedCalls(io.ticket);
  return calls.some((call) => call.run === run && call.plan.parts.some(({ name }) => name === 'history'));
}

/** The fresh prompt has what opened the session. */
async function turnsSoFar(io: StepIo, session: OpenSession): Promise<readonly Turn[]> {
  const kept = await storedJson(io, `earlier_turns:${session.id}`, EarlierTurns);
  const [first, ...own] = turnsOf((await io.ports.agent.transcript(session)) ?? []);
  return [...(kept?.turns ?? []), ...(first ? [{ ...first, asked: opening }, ...own] : [])];
}

const opening = '(the task, with the context that stands above)';

async function oldTurns(
  io: StepIo,
  { ticket }: AskScope,
  { member, turns }: { readonly member: string; readonly turns: readonly Turn[] },
): Promise<number> {
  const rule = ticket.settings?.longConversations ?? 'either';
  if (rule === 'off' || turns.length < 2) return 0;
  const { window } = await factsOf(io, ticket, member);
  const budget = promptBudget(ticket.settings?.tokenBudget ?? defaultTokenBudget, window);
  const tokens = await Promise.all(
    turns.map((turn) => io.ports.tokens.count(turnText(turn, 1, { masked: false }))),
  );
  const sizes = turns.map(({ said }, index) => ({ messages: said.length + 1, tokens: tokens[index] ?? 0 }));
  return turnsToFold(sizes, { rule, budget });
}
