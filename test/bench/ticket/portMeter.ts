/** Milliseconds of the monotonic clock. */
export interface PortCall {
  readonly port: string;
  readonly method: string;
  readonly args: readonly unknown[];
  readonly result: unknown;
  readonly from: number;
  readonly to: number;
}

/** For how long no call of any port was outstanding: the program's own time. */
export class PortMeter {
  readonly calls: PortCall[] = [];
  #outstanding = 0;
  #ownMs = 0;
  #ownSince: number | undefined;
  #running = false;

  start(): void {
    this.#running = true;
    if (this.#outstanding === 0) this.#ownSince = performance.now();
  }

  stop(): number {
    this.#pause();
    this.#running = false;
    return this.#ownMs;
  }

  wrap<T extends object>(port: string, target: T): T {
    return new Proxy(target, {
      get: (_target, method) => {
        const value: unknown = Reflect.get(target, method, target);
        if (typeof value !== 'function' || typeof method !== 'string') return value;
        return (...args: unknown[]): unknown => {
          const from = performance.now();
          this.#begin();
          const result: unknown = Reflect.apply(value, target, args);
          return Promise.resolve(result).then(
            (settled) => {
              this.#end({ port, method, args, result: settled, from, to: performance.now() });
              return settled;
            },
            (error: unknown) => {
              this.#end({ port, method, args, result: undefined, from, to: performance.now() });
              throw error;
            },
          );
        };
      },
    });
  }

  #begin(): void {
    this.#outstanding += 1;
    this.#pause();
  }

  #end(call: PortCall): void {
    this.calls.push(call);
    this.#outstanding -= 1;
    if (this.#outstanding === 0 && this.#running) this.#ownSince = performance.now();
  }

  #pause(): void {
    if (this.#ownSince !== undefined) this.#ownMs += performance.now() - this.#ownSince;
    this.#ownSince = undefined;
  }
}

/** At least one call was outstanding; milliseconds. */
export function timeIn(calls: readonly PortCall[], port: string): number {
  let [total, covered] = [0, -Infinity];
  for (const { from, to } of calls.filter((call) => call.port === port).toSorted((a, b) => a.from - b.from)) {
    total += Math.max(0, to - Math.max(from, covered));
    covered = Math.max(covered, to);
  }
  return total;
}
