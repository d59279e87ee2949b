import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { sha256 } from '../../../base/sha256.ts';
import type { ToolPolicy } from '../../../domain/usage/promptPlan.ts';
import type { SessionRef } from '../../../engine/ports/ports.ts';
import { Servers, type ServersOptions } from './servers.ts';
import { bareDomain, type Domain, domainFor, domainsOf } from '../sandbox/domains.ts';

/**
 * The servers of a repository: one for everything where there is no sandbox, otherwise one for each domain.
 * Which session is on which is noted outside of every box.
 */
export class ServerPool {
  readonly #options: ServersOptions;
  readonly #boxed: boolean;
  readonly #byDomain = new Map<string, { readonly domain: Domain; readonly servers: Servers }>();

  constructor(options: ServersOptions) {
    this.#options = options;
    this.#boxed =
      options.url === undefined && options.sandbox !== undefined && options.sandbox.kind !== 'none';
  }

  /** For a session that is to be created. */
  for(policy: ToolPolicy, directory: string): Servers {
    return this.#use(this.#boxed ? domainFor(policy, directory) : bareDomain);
  }

  /** For a session that was created, by its id or title. */
  of({ directory }: Pick<SessionRef, 'directory'>, name: string): Servers {
    return this.#use(this.#domainOf(directory, name) ?? bareDomain);
  }

  /** Checks whether the session is, or was, on a server that showed its worktree alone. */
  isOwn({ directory }: Pick<SessionRef, 'directory'>, name: string): boolean {
    return this.#domainOf(directory, name)?.tree === directory;
  }

  /** For a question that any server answers: one that runs, or the one that is needed next. */
  async any(directory?: string): Promise<Servers> {
    for (const { servers } of this.#byDomain.values()) if (await servers.isLiving()) return servers;
    return directory === undefined ? this.#use(bareDomain) : this.for('read_only', directory);
  }

  /**
   * Notes that the session with this id or title is one of a policy's. Before it is created, so that it is
   * always found.
   */
  async note(policy: ToolPolicy, directory: string, name: string): Promise<void> {
    if (this.#boxed) await this.#write(domainFor(policy, directory).name, name);
  }

  /** Notes the id of a session that was found by its title. */
  async noteId(directory: string, title: string, id: string): Promise<void> {
    const domain = this.#domainOf(directory, title);
    if (domain) await this.#write(domain.name, id);
  }

  /** The servers that may know a worktree. */
  knowing(directory: string): readonly Servers[] {
    const domains = this.#boxed ? domainsOf(directory) : [bareDomain];
    return domains.flatMap(({ name }) => this.#byDomain.get(name)?.servers ?? []);
  }

  /** Ends what runs for one worktree alone. */
  async leave(directory: string): Promise<void> {
    for (const { domain, servers } of this.#byDomain.values())
      if (domain.tree === directory) await servers.stop(false);
  }

  async stop(keep: boolean): Promise<void> {
    await Promise.all([...this.#byDomain.values()].map(({ servers }) => servers.stop(keep)));
  }

  #use(domain: Domain): Servers {
    const found = this.#byDomain.get(domain.name)?.servers ?? new Servers(this.#options, domain);
    this.#byDomain.set(domain.name, { domain, servers: found });
    // Each takes half a gigabyte: one that showed no worktree, or the same one for other work, isn't needed
    // meanwhile.
    for (const { domain: other, servers } of this.#byDomain.values()) {
      const replaced =
        other.name !== domain.name &&
        (other === bareDomain || (domain.tree !== undefined && other.tree === domain.tree));
      if (this.#boxed && replaced && servers.idle) void servers.stop(false).catch(() => undefined);
    }
    return found;
  }

  #domainOf(directory: string, name: string): Domain | undefined {
    return this.#boxed
      ? domainsOf(directory).find(({ name: domain }) => existsSync(this.#mark(domain, name)))
      : undefined;
  }

  async #write(domain: string, name: string): Promise<void> {
    const file = this.#mark(domain, name);
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(file, '');
  }

  #mark(domain: string, name: string): string {
    return join(this.#options.stateDir, 'servers', `${domain}.sessions`, sha256(name).slice(0, 32));
  }
}
