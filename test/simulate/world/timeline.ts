interface Moment {
  readonly at: number;
  readonly order: number;
  readonly happen: () => void;
}

/** Nothing waits for real: the next thing that is due happens when the code has nothing left to do. */
export class Timeline {
  readonly #heap: Moment[] = [];
  #order = 0;
  #now = 0;
  #events = 0;

  /** Since the beginning. */
  get now(): number {
    return this.#now;
  }

  get events(): number {
    return this.#events;
  }

  after(ms: number, happen: () => void): void {
    this.#push({ at: this.#now + Math.max(0, ms), order: this.#order++, happen });
  }

  /** False after `most` things, or if nothing is left. */
  async run(done: () => boolean, most: number): Promise<boolean> {
    await settled();
    while (!done()) {
      const next = this.#pop();
      if (!next || this.#events >= most) return false;
      this.#now = Math.max(this.#now, next.at);
      this.#events++;
      next.happen();
      await settled();
    }
    return true;
  }

  #push(moment: Moment): void {
    const heap = this.#heap;
    let place = heap.push(moment) - 1;
    for (let parent = (place - 1) >> 1; place > 0; place = parent, parent = (place - 1) >> 1) {
      const above = heap[parent];
      if (!above || isBefore(above, moment)) break;
      heap[place] = above;
      heap[parent] = moment;
    }
  }

  #pop(): Moment | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (!first || !last || heap.length === 0) return first;
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      const [left, right] = [heap[child], heap[child + 1]];
      if (!left) break;
      const least = right && isBefore(right, left) ? right : left;
      if (least === right) child++;
      if (isBefore(last, least)) break;
      heap[place] = least;
      place = child;
    }
    heap[place] = last;
    return first;
  }
}

function isBefore(a: Moment, b: Moment): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}

/** Every promise that could settle has: all are settled by this thread's code. */
function settled(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
