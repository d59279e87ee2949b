/** One call of a port, with when it began and ended (milliseconds of the monotonic clock). */
export interface PortCall {
  readonly port: string;
  readonly method: string;
  readonly args: readonly unknown[];
  readonly result: unknown;
  readonly from: number;
  readonly to: number;
}

/**
 * Watches the ports it wraps: what was called, and for how long nothing at all was outstanding on any of
 * them. That rest is the program's own time: nobody else was being waited for.
 */
export class PortMeter {
  readonly calls: PortCall[] = [];
  #outstanding = 0;
  #ownMs = 0;
  #ownSince: number | undefined;
  #running = false;

  /** From here on own time counts. */
  start(): void {
    this.#running = true;
    if (this.#outstanding === 0) this.#ownSince = performance.now();
  }

  /** Ends the counting; answers the milliseconds of own time. */
  stop(): number {
    this.#pause();
    this.#running = false;
    return this.#ownMs;
  }

  /** The same object, watched. */
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
