import fc from 'fast-check';
import { propertiesSeed } from './seed.js';

// A failing property prints its seed; NIMO_PROPERTIES_SEED repeats it.
fc.configureGlobal({ seed: propertiesSeed() });

export { fc };
