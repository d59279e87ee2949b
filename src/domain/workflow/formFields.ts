import type { ErrorCode } from '../core/errors.ts';

/**
 * A condition of a ticket for an action to be available, apart from its status; see `holds` in
 * `availability.ts`.
 */
export type Condition =
  | 'notPaused'
  | 'held'
  | 'questionAsked'
  | 'permissionAsked'
  | 'sessionInterrupted'
  | 'gapsOpen'
  | 'passesGates'
  | 'waitsAtGates'
  | 'beadDone'
  | 'beadFailed'
  /** Beadsmith merged it, and knows where the base was before. */
  | 'merged'
  /** It has a pull request on a forge. */
  | 'published'
  /** Checks of the pull request failed. */
  | 'checksFailed'
  /** The forge merges the pull request without another decision. */
  | 'mergePlanned'
  /** Merges into a branch here are kept: it isn't a team's. */
  | 'mergedHere'
  /** The ticket is blocked. */
  | 'blocked'
  /** The status that a block came from has the action, too. */
  | 'previousAllows';

/** A text that a person gives with an action. */
export interface TextField {
  readonly kind: 'text';
  readonly label: string;
  /** One sentence, for the prompt of an input and the text of an option. */
  readonly about: string;
  /** A question that an empty input shows. */
  readonly placeholder?: string;
  /** The greatest number of characters. */
  readonly most: number;
  /** Quick Picks ask for it although it may be empty. */
  readonly asked?: true;
  /** It can't be empty; with a condition, only under that, and the error says so. */
  readonly needed?: 'always' | { readonly when: Condition; readonly code: ErrorCode };
}

/** A yes or no that a person gives with an action that is confirmed. */
export interface FlagField {
  readonly kind: 'flag';
  /** One sentence, for the text of an option. */
  readonly about: string;
  /** The button of the confirmation that says yes. */
  readonly button: string;
  /** It makes sense only for tickets that have one. */
  readonly needs?: 'worktree';
  /** The option that says no, and its sentence, where the ticket's settings decide if nothing is said. */
  readonly no?: { readonly option: string; readonly about: string };
}

/** The values of a choice that make sense for a ticket; see `offeredValues.ts`. */
export type Offered = 'mergeKinds';

/** One of a few values; without one, the handler chooses. */
export interface ChoiceField {
  readonly kind: 'choice';
  readonly label: string;
  /** One sentence, for the placeholder of a list and the text of an option. */
  readonly about: string;
  readonly choices: Readonly<Record<string, { readonly label: string; readonly about: string }>>;
  /** A list with fewer than two of them isn't shown. */
  readonly offered: Offered;
}

/** Models of the ticket, which stay as they are if nothing is said. */
export interface ModelField {
  readonly kind: 'model';
  /** One sentence, for the text of an option. */
  readonly about: string;
  /** The name of its option. */
  readonly option: string;
  readonly many?: true;
}

/** A field that a person fills in with an action. */
export type FormField = TextField | FlagField | ModelField | ChoiceField;

/**
 * A question before an action. Its texts may name {ticket}, {title}, {branch} and {base}, and what a surface
 * of its own asked for.
 */
export interface Confirmation {
  readonly question: string;
  readonly detail: string;
  readonly button: string;
}

/** A command of an action that is taken by its form alone: palette, menus and lists render it. */
export interface FormCommandRow {
  /** Its name for people; it ends with `…` if something is asked before it does its work. */
  readonly title: string;
  /** A product icon, by its name. */
  readonly icon: string;
  /**
   * Its group and order in the menu of a ticket; `inline`: its order among the buttons of the line. `row`:
   * the row below the ticket that has it instead.
   */
  readonly menu: {
    readonly group: 'go' | 'gate' | 'steer' | 'end';
    readonly order: number;
    readonly inline?: number;
    readonly row?: 'pullRequest' | 'failedChecks';
  };
  /** It decides something with nothing to type and no dialog; see `isMeant` of the views. */
  readonly decides?: true;
  /** The palette doesn't have it, only menus and lists. */
  readonly menuOnly?: true;
}

/** An action's words and fields, said once: Quick Picks, menus, pages and options render them. */
export interface ActionForm {
  /** Its command in the editor, unless one with another name takes it. */
  readonly command?: FormCommandRow;
  /** One sentence, in the imperative, for lists and the command line. */
  readonly about: string;
  /** Their names are those of the action's body. */
  readonly fields: Readonly<Record<string, FormField>>;
  readonly confirmation?: Confirmation;
  /** Its command and words for a ticket whose pull request is published. */
  readonly again?: {
    readonly command: FormCommandRow & { readonly name: string };
    readonly about: string;
    readonly confirmation: Confirmation;
  };
  /** A sentence for the person once it was taken, where nothing else shows that. */
  readonly done?: string;
}
