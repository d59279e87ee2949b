// Loaded before the measurements, so that schemas are made as .build/build.mjs has it for programs.
import * as z from 'zod';

z.config({ jitless: true });
