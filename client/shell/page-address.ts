/** The address of the public page that is being rendered, for its parts that depend on the address. Server rendering only. */
import { createContext, useContext } from 'react';

export const PageAddressContext = createContext(new URL('http://localhost/'));

/** Path and query as requested, at the site's own origin. */
export function usePageAddress(): URL {
  return useContext(PageAddressContext);
}
