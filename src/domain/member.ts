import * as z from 'zod';

/**
 * A council member or implementer as people write it: `provider/model` or `provider/model@variant`.
 * Split at the first slash, so that a model's own name may hold slashes; the variant is what follows the last `@`.
 */
export interface Member {
  readonly provider: string;
  readonly model: string;
  readonly variant?: string;
}

/** A member as people write it: `provider/model` or `provider/model@variant`. */
export const MemberText = z
  .string()
  .max(300)
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]*\/[^\s@\p{Cc}]+(?:@[A-Za-z0-9._-]+)?$/u,
    'A model is written provider/model or provider/model@variant.',
  );

/** Parses a text that `MemberText` accepted. Throws a ZodError for any other. */
export function parseMember(text: string): Member {
  const checked = MemberText.parse(text);
  const slash = checked.indexOf('/');
  const at = checked.lastIndexOf('@');
  const provider = checked.slice(0, slash);
  if (at < 0) return { provider, model: checked.slice(slash + 1) };
  return { provider, model: checked.slice(slash + 1, at), variant: checked.slice(at + 1) };
}
