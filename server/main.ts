/**
 * The door of the program: lets Node keep what it compiles, so that later starts read it instead of compiling several
 * hundred files again. Modules are loaded before the code of who imports them runs, so the program is imported after it.
 */
import { enableCompileCache } from 'node:module';
import path from 'node:path';

// In the environment, where threads find it: with the cache they start in half the time. Where nothing may be written it
// stays off, and every start is only slower.
process.env['NODE_COMPILE_CACHE'] ??= path.resolve(import.meta.dirname, '../node_modules/.cache/loci');
enableCompileCache(process.env['NODE_COMPILE_CACHE']);
await import('./program.ts');
