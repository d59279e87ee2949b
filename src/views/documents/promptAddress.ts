import { Uri } from 'vscode';
import * as z from 'zod';
import { jsonOf } from '../../base/json.ts';
import { TicketId } from '../../domain/core/ids.ts';
import { type DocumentAddress, repositoryKey } from '../../protocol/documents.ts';
import { promptScheme } from '../../protocol/schemes.ts';

const Query = z.strictObject({ call: z.string().min(1).max(400) });

/** The text of a call's prompt. What it names never changes. */
interface PromptPlace {
  /** As `repositoryKey` makes it of the repository's top folder. */
  readonly repository: string;
  readonly ticket: string;
  readonly call: string;
}

export function promptUri(
  root: string,
  ticket: string,
  { id, prompt }: { readonly id: string; readonly prompt: string },
): Uri {
  const name = prompt.replaceAll(/[^a-z0-9-]/g, '') || 'prompt';
  const query = JSON.stringify({ call: id } satisfies z.infer<typeof Query>);
  return Uri.from({
    scheme: promptScheme,
    authority: repositoryKey(root),
    path: `/${ticket}/${name}.md`,
    query,
  });
}

/** Undefined for an address that isn't ours; it can come from any source. */
export function parsePromptAddress({
  scheme,
  authority,
  path,
  query,
}: DocumentAddress): PromptPlace | undefined {
  const [, ticket = ''] = /^\/([^/]+)\/[^/]+$/.exec(path) ?? [];
  const asked = Query.safeParse(jsonOf(query));
  if (scheme !== promptScheme || authority === '' || !asked.success || !TicketId.safeParse(ticket).success)
    return undefined;
  return { repository: authority, ticket, call: asked.data.call };
}
