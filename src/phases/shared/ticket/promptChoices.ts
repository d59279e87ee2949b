import { noChoices, PromptChoices } from '../../../domain/prompts/promptChoices.ts';
import type { Ports } from '../../../engine/ports/ports.ts';
import { readJson } from './artifacts.ts';

/** See docs/decisions/157-people-choose-what-later-prompts-hold.md. */
export async function choicesOf({ store }: Pick<Ports, 'store'>, ticket: string): Promise<PromptChoices> {
  return readJson(PromptChoices, (await store.artifact(ticket, 'prompt_choices'))?.content) ?? noChoices;
}
