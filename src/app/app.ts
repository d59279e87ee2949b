import type { BeadsmithError } from '../domain/errors.ts';
import type { Engine } from '../engine/drive/engine.ts';
import type { Ports, Repository } from '../engine/ports/ports.ts';
import type { Client, DrivingMode } from '../protocol/api.ts';

/** The whole product on one repository, without an editor. */
export interface App {
  readonly client: Client;
  readonly mode: DrivingMode;
  readonly repository: Repository;
  readonly ports: Ports;
  /** Only a driver has one. It runs from `start` on. */
  readonly engine: Engine | undefined;
  /** Starts to drive: every ticket, or only the wanted ones and those that get an inbox entry in the meantime. */
  start(wanted: 'all' | readonly string[]): Promise<void>;
  /** The error that ended this process's driving of a ticket (EPOCH_LOST, a database failure); undefined when there is none. */
  failure(ticket: string): BeadsmithError | undefined;
  /** For a follower: whether the process that drove is gone, so that this one might take over by opening the repository again. */
  driverIsGone(): Promise<boolean>;
  /** Ends in an orderly way: the engine, the OpenCode servers, the ownership, the database. */
  dispose(): Promise<void>;
}
