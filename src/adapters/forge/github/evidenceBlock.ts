import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** The text needs room, too. */
const longestBlock = 30_000;
/** Anyone who may edit a pull request may have written it. */
const longestText = 20_000_000;

/** Behind an empty line, because it is read. */
const leftOut = `\nThe signed evidence isn't in this text, because it is longer than ${longestBlock.toLocaleString('en')} characters. To verify it, use \`beadsmith verify\` with \`--evidence\` and a copy of the ticket's \`.ticket/evidence.json\`.`;

/** A signed proof as a comment that nobody sees; a sentence if it is too long for a pull request's text. */
export function evidenceBlock(evidence: string): string {
  const block = `<!-- beadsmith-evidence ${deflateRawSync(evidence, { level: 9 }).toString('base64')} -->`;
  return block.length <= longestBlock ? block : leftOut;
}

/** The newest proof in a text; undefined without one that can be read. */
export function evidenceIn(text: string | null): string | undefined {
  const packed = [...(text ?? '').matchAll(/<!-- beadsmith-evidence ([A-Za-z0-9+/=]+) -->/g)].at(-1)?.[1];
  if (packed === undefined) return undefined;
  try {
    return inflateRawSync(Buffer.from(packed, 'base64'), { maxOutputLength: longestText }).toString('utf8');
  } catch {
    return undefined;
  }
}
