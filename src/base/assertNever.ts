/** Makes the compiler refuse a `switch` that forgot a case; at run time it names the value nobody expected. */
export function assertNever(value: never): never {
  throw new Error(`Unexpected value: ${JSON.stringify(value)}`);
}
