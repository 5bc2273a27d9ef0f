/** How the provider library fetches client metadata documents: through the guarded way out, and never after a redirect. */
import { OAUTH } from '#shared/constants.ts';
import { EgressError, type Egress } from '../providers/egress.ts';

/** A fetch for the library. @throws TypeError without a response, as fetch does */
export function documentFetch(egress: Egress): typeof globalThis.fetch {
  return async (input) => {
    const address = input instanceof Request ? input.url : String(input);
    try {
      const {
        status,
        body,
        url: final,
      } = await egress.get(address, {
        maxBytes: OAUTH.documentBytes,
        accepts: (type) => type === 'application/json' || type.endsWith('+json'),
        accept: 'application/json',
      });
      // The address is the client's identity, so a document from another address is not valid for it.
      if (final !== new URL(address).href) return new Response(null, { status: 508 });
      return new Response(new Uint8Array(body), { status, headers: { 'content-type': 'application/json' } });
    } catch (error) {
      if (error instanceof EgressError)
        throw new TypeError('The document could not be fetched', { cause: error });
      throw error;
    }
  };
}
