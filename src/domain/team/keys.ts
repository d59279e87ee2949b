import * as z from 'zod';
import { sha256 } from '../../base/sha256.ts';

/** The rights of a device's person: read; also decide; also add and revoke devices. */
export const TeamRole = z.enum(['reader', 'reviewer', 'admin']);
export type TeamRole = z.infer<typeof TeamRole>;

const oneLineOf = (most: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(most)
    .refine(
      (text) => !/[\p{Cc}\u2028\u2029\p{Bidi_C}]/u.test(text),
      'It is one line without control characters.',
    );

/** A person's or a device's name. */
export const TeamName = oneLineOf(100);

/** The key of a person's device: a command line's, an editor's or a browser's. */
export const TeamKey = z.object({
  id: z.string(),
  /** SPKI in base64. */
  publicKey: z.string(),
  person: z.string(),
  device: z.string(),
  role: TeamRole,
  addedAt: z.number(),
  revokedAt: z.number().nullable(),
});
export type TeamKey = Readonly<z.infer<typeof TeamKey>>;

/** A device as lists show it. */
export type TeamDevice = Omit<TeamKey, 'publicKey'>;

const ofWhole = 32;

/** The id of a key, from the bytes of its SPKI. */
export function teamKeyId(spki: Uint8Array): string {
  return sha256(spki).slice(0, ofWhole);
}

/** True for a person who decides. */
export function mayDecide({ role, revokedAt }: Pick<TeamKey, 'role' | 'revokedAt'>): boolean {
  return revokedAt === null && role !== 'reader';
}

/** True for a person who adds and revokes devices. */
export function mayManage({ role, revokedAt }: Pick<TeamKey, 'role' | 'revokedAt'>): boolean {
  return revokedAt === null && role === 'admin';
}
