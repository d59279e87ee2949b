/** Targets that a surface of our own made. Other extensions never get hold of them. */
const ownTargets = new WeakSet();

/**
 * Marks a target as made by our own tree, page, notification or list, where a person chose what is to happen.
 * What another extension calls a command with isn't marked, nor is what the editor itself passes.
 */
export function ownTarget<T extends object>(target: T): T {
  ownTargets.add(target);
  return target;
}

/** Returns true if a command was called from a surface of our own. */
export function isOwnTarget(argument: unknown): boolean {
  return typeof argument === 'object' && argument !== null && ownTargets.has(argument);
}
