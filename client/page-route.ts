/** Interface between a page of the application and the router. Knows no page. */
import type { ComponentType } from 'react';

export interface PageRoute {
  /** Before the product's name in the title of the document. */
  title: string;
  load: () => Promise<ComponentType>;
}

/** Narrows the untyped `handle` of a route match back to the page that was put there. */
export function isPageRoute(handle: unknown): handle is PageRoute {
  return typeof handle === 'object' && handle !== null && 'load' in handle && 'title' in handle;
}
