import { parse } from 'yaml';
import * as z from 'zod';
import { Persona } from '../domain/personas/persona.ts';
import { PersonaId } from '../domain/core/ids.ts';

/** A persona only reads and talks. */
const readOnly = ['read', 'grep', 'glob', 'list'] as const;
const longestBody = 6_000;
const longestFile = 20_000;

const FrontMatter = z.strictObject({
  ...Persona.omit({ text: true }).shape,
  icon: Persona.shape.icon.default(''),
  /** By tool. Permissions can only be taken away. */
  permission: z.record(z.string().max(60), z.enum(['allow', 'ask', 'deny'])).optional(),
});

/** A persona, or why its file can't be used (docs/decisions/135-personas.md). */
type PersonaFile =
  { readonly ok: true; readonly persona: Persona } | { readonly ok: false; readonly problem: string };

/** Reads `personas/<id>.md`: YAML front matter, then how the persona judges work. */
export function parsePersona(id: string, text: string): PersonaFile {
  const refused = (problem: string): PersonaFile => ({ ok: false, problem });
  if (!PersonaId.safeParse(id).success) return refused('its name is not kebab-case of 40 characters at most');
  if (text.length > longestFile) return refused(`it is longer than ${String(longestFile)} characters`);
  const [, matter, rest] =
    /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')) ?? [];
  if (matter === undefined || rest === undefined) return refused('it has no front matter');
  const front = FrontMatter.safeParse(readYaml(matter));
  if (!front.success) return refused(z.prettifyError(front.error).replaceAll('\n', ' '));
  const { permission = {}, ...fields } = front.data;
  if (fields.id !== id)
    return refused(`its id is "${fields.id}"; it has to be the name of the file, "${id}"`);
  const asks = Object.entries(permission).find(
    ([tool, rule]) => rule !== 'deny' && !readOnly.some((one) => one === tool),
  );
  if (asks)
    return refused(
      `it wants the permission "${asks[0]}: ${asks[1]}"; a persona can only ${readOnly.join(', ')}`,
    );
  const body = rest.trim();
  if (body === '') return refused('it says nothing below its front matter');
  if (body.length > longestBody) return refused(`its text is longer than ${String(longestBody)} characters`);
  if (/^##? /m.test(body))
    return refused('it has a heading of the first or second level; those are kept for the parts of a prompt');
  return { ok: true, persona: { ...fields, text: body } };
}

/** Personas as a model gets them; one session plays several. */
export function personaText(personas: readonly Persona[]): string {
  const one = ({ name, title, focus, style, text }: Persona): string =>
    [`${name}, ${title}. Your focus: ${focus} Your style: ${style}`, '', text].join('\n');
  const [first, ...others] = personas;
  if (first && others.length === 0) return `You are ${one(first)}`;
  const names = personas.map(({ name }) => name).join(', ');
  return [
    `Play all of these one after the other, then answer once for all of them: ${names}.`,
    ...personas.map(one),
  ].join('\n\n');
}

/** The same text with today's personas; undefined if one is gone. */
export function samePersonas(text: string, personas: readonly Persona[]): string | undefined {
  const [, names] =
    /^Play all of these one after the other, then answer once for all of them: (.*)\.$/.exec(
      text.split('\n', 1)[0] ?? '',
    ) ?? [];
  const spoke =
    names === undefined
      ? [personas.find(({ name }) => text.startsWith(`You are ${name}, `))]
      : names.split(', ').map((one) => personas.find(({ name }) => name === one));
  return spoke.includes(undefined) ? undefined : personaText(spoke.filter((one) => one !== undefined));
}

function readYaml(text: string): unknown {
  try {
    const value: unknown = parse(text, { maxAliasCount: 0, logLevel: 'silent' });
    return value;
  } catch (error) {
    return error instanceof Error ? error.message : undefined;
  }
}
