/** The address of the public page that is being rendered, for the parts of it that depend on it. Server rendering only. */
import { createContext, useContext } from 'react';

export const PageAddressContext = createContext(new URL('http://localhost/'));

/** Path and query as the visitor asked for them, at the site's own origin. */
export function usePageAddress(): URL {
  return useContext(PageAddressContext);
}
