import * as z from 'zod';

/** An issue as a person names it. Without a repository, it is in that of the remotes. */
export interface IssueName {
  readonly repository?: {
    /** None: the forge of the remotes, else github.com. */
    readonly host?: string;
    readonly isPlain?: boolean;
    readonly owner: string;
    readonly name: string;
  };
  readonly number: number;
}

const part = '([\\w.-]{1,100})';
const address = new RegExp(
  `^(https?)://([\\w.-]+(?::\\d+)?|\\[[\\da-f:]+\\](?::\\d+)?)/${part}/${part}/(?:issues|pull)/(\\d{1,10})/?(?:[?#]\\S*)?$`,
  'iu',
);
const short = new RegExp(`^(?:${part}/${part})?#(\\d{1,10})$`, 'u');

/** Reads `https://github.com/o/r/issues/12`, `o/r#12` and `#12`; undefined for any other word. */
export function issueName(word: string): IssueName | undefined {
  const [, scheme, host = '', of = '', repository = '', at] = address.exec(word) ?? [];
  if (scheme !== undefined)
    return {
      repository: {
        host: host.toLowerCase().replace(/^www\.github\.com$/u, 'github.com'),
        isPlain: scheme.toLowerCase() === 'http',
        owner: of,
        name: repository,
      },
      number: Number(at),
    };
  const [, owner, name, number] = short.exec(word) ?? [];
  if (number === undefined) return undefined;
  return {
    ...(owner === undefined || name === undefined ? {} : { repository: { owner, name } }),
    number: Number(number),
  };
}

/** The issue that a ticket was imported from. `id`: the forge's own, which no other issue ever gets. */
export const IssueOrigin = z.object({
  kind: z.literal('issue'),
  host: z.string(),
  owner: z.string(),
  name: z.string(),
  number: z.number().int().positive(),
  url: z.string(),
  id: z.number().optional(),
});
export type IssueOrigin = z.infer<typeof IssueOrigin>;

/** A text with its author. `author`: empty if the account is gone. `mayWrite`: into the repository. */
export interface Remark {
  readonly author: string;
  readonly mayWrite: boolean;
  readonly at: string;
  readonly text: string;
}

/** An issue with its comments, oldest first. `commentsLeft`: earlier ones, which weren't read. */
export interface ForgeIssue extends Remark {
  readonly origin: IssueOrigin;
  readonly title: string;
  readonly isOpen: boolean;
  readonly labels: readonly string[];
  readonly milestone: string;
  readonly assignees: readonly string[];
  readonly comments: readonly Remark[];
  readonly commentsLeft: number;
  /** Issues that block it, and parts of it, which the forge counts and this reader doesn't read. */
  readonly blockedBy: number;
  readonly parts: number;
}
