import { BeadsmithError, type ErrorCode, toBeadsmithError } from '../../domain/core/errors.ts';

const sentences = {
  BAD_REQUEST: [400, "The request can't be read."],
  SIGN_IN: [401, 'Sign in first.'],
  FOREIGN: [403, 'The request came from another site, or without its token.'],
  WRONG_PERSON: [403, 'The proxy named another person than this device belongs to.'],
  UNKNOWN_PLACE: [404, 'There is nothing here.'],
  WRONG_METHOD: [405, 'This address takes no such request.'],
  TOO_SLOW: [408, 'The request took too long.'],
  TOO_LARGE: [413, 'The request is too large.'],
  WRONG_TYPE: [415, 'The request has to be JSON.'],
  WRONG_HOST: [421, 'This server has another address.'],
  TOO_MANY: [429, 'There were too many requests. Wait a minute.'],
} as const satisfies Readonly<Record<string, readonly [status: number, sentence: string]>>;

/** The refusal of a request before anything is done. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: keyof typeof sentences;
  readonly status: number;

  constructor(code: keyof typeof sentences) {
    super(sentences[code][1]);
    this.code = code;
    this.status = sentences[code][0];
  }
}

const statuses: Readonly<Partial<Record<ErrorCode, number>>> = {
  DEVICE_UNKNOWN: 401,
  DEVICE_REVOKED: 403,
  ROLE_MISSING: 403,
  PAIRING_INVALID: 403,
  DECISION_UNSEALED: 403,
  TICKET_UNKNOWN: 404,
  INVALID_INPUT: 400,
  DATABASE_BUSY: 503,
  DATABASE_IO: 503,
  DATABASE_LOST: 503,
  DATABASE_READ_ONLY: 503,
  UNEXPECTED: 500,
};

export interface Failure {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly nextStep: string;
}

/** A failure as the browser is told of it; nothing of the inside of an unexpected one. */
export function failureOf(thrown: unknown): Failure {
  if (thrown instanceof Refusal)
    return { status: thrown.status, code: thrown.code, message: thrown.message, nextStep: '' };
  const { code, message, nextStep } = toBeadsmithError(thrown);
  const status = statuses[code] ?? 409;
  if (status < 500) return { status, code, message, nextStep };
  const hidden = new BeadsmithError('UNEXPECTED', { reason: "the server couldn't answer" });
  return { status, code, message: hidden.message, nextStep: 'Try again later.' };
}
