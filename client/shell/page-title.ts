/**
 * The title template of the product: the page's own words, a pipe, the product's name.
 * For pages whose title is known only in the browser; server-rendered heads use the same template.
 */
import { useEffect } from 'react';
import { PRODUCT_NAME } from '#shared/constants.ts';

/** 'Spaces | Loci', or the product's name alone. */
export function formatTitle(title: string | undefined): string {
  return title ? `${title} | ${PRODUCT_NAME}` : PRODUCT_NAME;
}

/** Sets the document's title while mounted and puts the earlier one back. */
export function usePageTitle(title: string | undefined): void {
  useEffect(() => {
    const earlier = document.title;
    document.title = formatTitle(title);
    return () => {
      document.title = earlier;
    };
  }, [title]);
}
