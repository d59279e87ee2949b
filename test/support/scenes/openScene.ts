import { TicketWorld } from '../editor/ticketWorld.ts';
import { tempFolder } from '../tempFolder.ts';
import { userEnvironment } from '../userEnvironment.ts';
import { Place } from './places.ts';
import { earlier, nameOf, placeOf, type Scene } from './preparedTicket.ts';
import { SceneStore } from './sceneStore.ts';

/** `end` leaves nothing of it. */
export interface OpenScene {
  readonly world: TicketWorld;
  end(): Promise<void>;
}

/**
 * Tickets at their gates, of the installation in `home`. Driven once for each build, and copied from then on;
 * with BEADSMITH_SCENES=off, each time.
 */
export async function openScene(scene: Scene, home: string): Promise<OpenScene> {
  if (scene.tickets.length === 0 || process.env['BEADSMITH_SCENES'] === 'off') return driven(scene, home);
  const place = await Place.take(placeOf(scene));
  try {
    const store = new SceneStore(place.name);
    if (!store.has(nameOf(scene))) await make(scene, place, store);
    await store.restore(nameOf(scene), { world: place.folder, home });
    const world = await TicketWorld.reopen(place.folder, scene.played);
    const end = async (): Promise<void> => {
      try {
        await world.stop();
      } finally {
        await place.release();
      }
    };
    return { world, end };
  } catch (error) {
    await place.release();
    throw error;
  }
}

async function driven({ tickets, played }: Scene, home: string): Promise<OpenScene> {
  const world = await TicketWorld.start(played);
  try {
    for (const ticket of tickets) await world.prepare(ticket, userEnvironment(home));
    return { world, end: () => world.end() };
  } catch (error) {
    await world.end();
    throw error;
  }
}

/** From where an earlier scene ends if one is there, and keeps it. */
async function make(scene: Scene, place: Place, store: SceneStore): Promise<void> {
  const home = tempFolder('scene-home');
  try {
    const from = earlier(scene).find((one) => store.has(nameOf(one)));
    if (from) await store.restore(nameOf(from), { world: place.folder, home: home.path });
    const world = from
      ? await TicketWorld.reopen(place.folder, scene.played)
      : await TicketWorld.start(scene.played, place.folder);
    try {
      await drive(scene, from?.tickets ?? [], world, userEnvironment(home.path));
    } finally {
      await world.stop();
    }
    await store.keep(nameOf(scene), { world: place.folder, home: home.path });
    await place.empty();
  } finally {
    home.remove();
  }
}

async function drive(
  { tickets }: Scene,
  done: Scene['tickets'],
  world: TicketWorld,
  env: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [at, ticket] of tickets.entries()) {
    const before = done[at];
    if (!before) await world.prepare(ticket, env);
    else if (before.at !== ticket.at) await world.goOn(ticket, `SAMPL-${String(at + 1)}`, env);
  }
}
