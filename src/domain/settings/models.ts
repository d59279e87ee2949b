import type * as z from 'zod';
import { completeSettings, modelsOf, reviewerOf, Settings } from './settings.ts';

/** A ticket's models, which people can change after its start (docs/decisions/182-models-can-change.md). */
export const TicketModels = Settings.pick({
  mainImplementer: true,
  councilMembers: true,
  secondImplementer: true,
  reviewer: true,
});
export type TicketModels = z.infer<typeof TicketModels>;

/** New models; others stay. */
export type ModelsChange = { readonly [M in keyof TicketModels]?: TicketModels[M] | undefined };

/** All models that a ticket names. */
export function namedModels(settings: Settings): ReadonlySet<string> {
  return new Set([...modelsOf(settings), settings.secondImplementer].filter((model) => model !== ''));
}

/** Settings with other models. A council that was one model can grow. */
export function withModels({ minCouncilQuorum, ...settings }: Settings, change: ModelsChange): Settings {
  const named = Object.entries(change).filter(([, value]) => value !== undefined);
  const council = settings.depth === 'solo' ? { depth: 'full' } : { depth: settings.depth, minCouncilQuorum };
  return completeSettings({ ...settings, ...council, ...Object.fromEntries(named) });
}

/** The model in the place of `member`, which a run that began with the models `then` names. */
export function successorOf(member: string, then: Settings, now: Settings): string {
  if (member === then.mainImplementer) return now.mainImplementer;
  if (member === then.secondImplementer) return now.secondImplementer || now.mainImplementer;
  return member === reviewerOf(then) ? reviewerOf(now) : member;
}
