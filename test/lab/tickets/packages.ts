import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from '../../support/tempFolder.ts';
import { Place } from '../place.ts';

/** Dependencies of this project, as they are published. */
export const packages = ['yaml', 'simple-git'];

export function unpacked(name: string): Place {
  const place = new Place(tempFolder('tickets').path, name);
  cpSync(join(import.meta.dirname, '../../../node_modules', name), place.repository, {
    recursive: true,
    filter: (path) => !path.endsWith(`${name}/node_modules`),
  });
  place.begin(null);
  place.commit('First commit');
  return place;
}
