const ownTargets = new WeakSet();

/**
 * Marks a target of our own tree, page, notification or list, where a person chose what is to happen: other
 * extensions can't make one.
 */
export function ownTarget<T extends object>(target: T): T {
  ownTargets.add(target);
  return target;
}

export function isOwnTarget(argument: unknown): boolean {
  return typeof argument === 'object' && argument !== null && ownTargets.has(argument);
}
