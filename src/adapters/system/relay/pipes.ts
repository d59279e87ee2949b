import type { Socket } from 'node:net';

/** Joins two connections until either ends. Each waits for the other, so nothing piles up in between. */
export function join(one: Socket, other: Socket): void {
  const end = () => {
    one.destroy();
    other.destroy();
  };
  for (const socket of [one, other]) {
    socket.setNoDelay(true);
    socket.on('error', end);
    socket.on('close', end);
  }
  one.pipe(other);
  other.pipe(one);
}
