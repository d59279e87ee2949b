import * as z from 'zod';
import { AnswersFile } from '../domain/answersFile.ts';
import { BeadsmithError } from '../domain/errors.ts';
import { readDocument } from '../protocol/readDocument.ts';
import type { Args } from './args.ts';
import type { CommandContext } from './commandContext.ts';
import type { GatePolicy } from './gatePolicy.ts';
import { parseGates } from './gates.ts';
import { readText } from './readText.ts';
import { UsageError } from './usageError.ts';

/** The gate policy of the options. Throws UsageError, and INVALID_INPUT for an answers file that can't be read. */
export async function policyOf(context: CommandContext, args: Args): Promise<GatePolicy> {
  const file = args.text('answers');
  if (file !== undefined && args.flag('skip-interview')) throw new UsageError('Give --answers or --skip-interview, not both.');
  return {
    approve: parseGates(args.text('approve') ?? 'none'),
    answers: file === undefined ? undefined : await parseAnswers(file, await readText(context, file)),
    skipInterview: args.flag('skip-interview'),
    end: args.oneOf('end', ['close', 'merge'], 'close'),
  };
}

async function parseAnswers(file: string, text: string): Promise<AnswersFile> {
  const result = AnswersFile.safeParse(await readDocument(text));
  if (result.success) return result.data;
  throw new BeadsmithError('INVALID_INPUT', { what: file, reason: z.prettifyError(result.error) });
}
