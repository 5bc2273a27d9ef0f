/** The search worker: connects the host to the page. Everything it does is in `search-host.ts`. */
import { createSearchHost } from './search-host.ts';
import type { ToSearchWorker } from './search-protocol.ts';

const host = createSearchHost((message) => globalThis.postMessage(message));

globalThis.addEventListener('message', (event: MessageEvent<ToSearchWorker>) => host.receive(event.data));
