import { ownTarget } from '../../shared/ownTargets.ts';
import type { Target } from '../../commands/ticketTarget.ts';

/** The row's content is looked up when it is shown. Its fields make it a target of commands. */
export type Node = (
  | { readonly kind: 'repository' }
  | { readonly kind: 'error' }
  | { readonly kind: 'column'; readonly column: string }
  | { readonly kind: 'more'; readonly column: string }
  | { readonly kind: 'ticket'; readonly ticket: string }
  | { readonly kind: 'fact'; readonly ticket: string; readonly key: string }
) &
  Target & { readonly id: string; readonly root: string };

export type NodeOf<K extends Node['kind']> = Extract<Node, { readonly kind: K }>;

/** The editor keeps what is expanded and selected by the row, and asks again only for rows it was given. */
export class Nodes {
  readonly #known = new Map<string, Node>();

  repository(root: string): NodeOf<'repository'> {
    return this.#keep({ kind: 'repository', id: root, root });
  }

  error(root: string): NodeOf<'error'> {
    return this.#keep({ kind: 'error', id: `${root}#error`, root });
  }

  column(root: string, column: string): NodeOf<'column'> {
    return this.#keep({ kind: 'column', id: `${root}#${column}`, root, column });
  }

  more(root: string, column: string): NodeOf<'more'> {
    return this.#keep({ kind: 'more', id: `${root}#${column}#more`, root, column });
  }

  ticket(root: string, ticket: string): NodeOf<'ticket'> {
    return this.#keep({ kind: 'ticket', id: `${root}#${ticket}`, root, ticket });
  }

  fact(
    parent: { readonly root: string; readonly ticket: string },
    key: string,
    target: Target,
  ): NodeOf<'fact'> {
    const { root, ticket } = parent;
    return this.#keep({ ...target, kind: 'fact', id: `${root}#${ticket}#${key}`, root, ticket, key });
  }

  #keep<N extends Node>(node: N): N {
    const known = this.#known.get(node.id);
    if (known?.kind === node.kind) return known as N;
    this.#known.set(node.id, ownTarget(node));
    return node;
  }
}
