/** The search worker: connects the host to the page. Everything it does is in `search-host.ts`. */
import { createSearchHost } from './search-host.ts';
import type { ToSearchWorker } from './search-protocol.ts';
import { createWordVectors } from './word-vectors.ts';

const host = createSearchHost((message) => globalThis.postMessage(message), createWordVectors());

globalThis.addEventListener('message', (event: MessageEvent<ToSearchWorker>) => host.receive(event.data));
