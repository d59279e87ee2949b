/**
 * A person's checkout of a team's ticket. `kept`: it is behind, and stays so, because it has changes or
 * commits of the person.
 */
export interface CheckedOut {
  readonly path: string;
  readonly state: 'made' | 'updated' | 'current' | 'kept';
}
