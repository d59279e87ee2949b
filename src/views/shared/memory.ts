/** A stored value may be from another version. */
export interface Memory {
  get(key: string): unknown;
  set(key: string, value: unknown): Promise<void>;
}
