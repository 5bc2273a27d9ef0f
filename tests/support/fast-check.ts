/** fast-check, with the seed of the run. */
import fc from 'fast-check';
import { SEED } from './seed.ts';

fc.configureGlobal({ seed: SEED });

export { fc };
