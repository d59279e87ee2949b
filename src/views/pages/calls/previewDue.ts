import { dueWish, PromptChoices } from '../../../domain/prompts/promptChoices.ts';
import { PromptPreviewReceipt } from '../../../domain/workflow/receipts.ts';
import type { Client } from '../../../protocol/api.ts';
import { readArtifact, readDocument } from '../../../protocol/readDocument.ts';

/**
 * Returns true if the next prompt of a ticket is to wait for a person because they wished it
 * (docs/decisions/157-people-choose-what-later-prompts-hold.md).
 */
export async function isPreviewDue(client: Client, ticket: string): Promise<boolean> {
  const choices = await readArtifact(client, ticket, 'prompt_choices', PromptChoices);
  return (
    choices !== undefined &&
    choices.preview !== null &&
    dueWish(choices, await newestReceipt(client, ticket)) !== null
  );
}

/** The receipt as it was written last: the attempt that wrote it may be archived. */
async function newestReceipt(client: Client, ticket: string): Promise<PromptPreviewReceipt | undefined> {
  const type = 'prompt_preview_receipt';
  const versions = (await client.artifacts(ticket))
    .filter((info) => info.type === type)
    .map(({ version }) => version);
  if (versions.length === 0) return undefined;
  const stored = await client.artifact(ticket, type, Math.max(...versions));
  return stored && PromptPreviewReceipt.safeParse(await readDocument(stored.content)).data;
}
