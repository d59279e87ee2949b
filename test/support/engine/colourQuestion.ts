import * as z from 'zod';
import type { Question } from '../../../src/phases/shared/structured/askTypes.ts';
import { parseStructured } from '../../../src/phases/shared/structured/parseStructured.ts';

const schema = z.object({ colour: z.string() });

/** A question that one word answers, as planning puts it. */
export const colourQuestion: Question<{ colour: string }> = {
  key: 'colour',
  contextKey: 'interview_draft',
  prompt: 'interview-draft',
  member: 'demo/main',
  parse: parseStructured({ schema }),
  result: schema,
  activeMs: 60_000,
};
