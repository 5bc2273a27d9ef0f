/**
 * The door of the program: lets Node keep what it compiles, so that later starts read it instead of compiling several
 * hundred files again. Modules are loaded before the code of who imports them runs, so the program is imported after it.
 */
import { enableCompileCache } from 'node:module';
import path from 'node:path';

// Where nothing may be written the cache stays off, and the start is only slower.
enableCompileCache(path.resolve(import.meta.dirname, '../node_modules/.cache/loci'));
await import('./program.ts');
