import { refsProblem } from '../../../domain/requirements/criteria.ts';
import { Prd, prdDocument } from '../../../domain/requirements/prd.ts';
import { storedDocument, type StoreIo } from './artifacts.ts';

export async function linkedPrd(io: StoreIo): Promise<Prd | undefined> {
  if ((await io.ports.store.artifact(io.ticket, prdDocument.kind)) === undefined) return undefined;
  return (await storedDocument(io, prdDocument.kind, Prd)).document;
}

/** The reason why beads can't be used (docs/decisions/093-links.md). */
export async function unknownRefs(
  io: StoreIo,
  beads: readonly { readonly id: string; readonly prdRefs?: readonly string[] | undefined }[],
): Promise<string | undefined> {
  const prd = await linkedPrd(io);
  return prd && refsProblem(beads, prd);
}
