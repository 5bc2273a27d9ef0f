// Stands in for two modules of react-router in the browser bundle: instrumentation, which we do not use, and the parts of
// its framework mode that every Link carries along. On a public page each kilobyte counts (FRONTEND section 13).
// Behaviour outside framework mode is the same; a release that wants other names breaks the build, not the page.
import { createContext, type Ref, useRef } from 'react';

/** Never called: only for routers created with `instrumentations`. */
export const getRouteInstrumentationUpdates = () => ({});
/** Never called: only for routers created with `instrumentations`. */
export const instrumentClientSideRouter = <Router>(router: Router): Router => router;
/** Nobody asked for a report about the navigation. */
export const consumeInstrumentationClientResultMetaReceiver = () => undefined;

/** Empty outside framework mode. */
export const FrameworkContext = createContext(undefined);
/** Prefetching belongs to framework mode. */
export const PrefetchPageLinks = () => null;
/** Says that nothing is to be prefetched. */
export function usePrefetchBehavior(): [boolean, Ref<unknown>, object] {
  return [false, useRef(null), {}];
}

/** One ref callback for several refs. */
export function mergeRefs(...refs: (Ref<unknown> | undefined)[]): (value: unknown) => void {
  return (value) => {
    for (const ref of refs) {
      if (typeof ref === 'function') ref(value);
      else if (ref) ref.current = value;
    }
  };
}
