/** Proves at compile time that every case of a union was handled. Throws if it is reached. */
export function assertNever(value: never): never {
  throw new Error(`Unexpected value: ${JSON.stringify(value)}`);
}
