/** The title of a page, also where it is known only in the browser. */
import { useEffect } from 'react';
import { PRODUCT_NAME } from '#shared/constants.ts';

/** The title template: 'Spaces | Loci', or the product's name alone. */
export function titleOf(title: string | undefined): string {
  return title ? `${title} | ${PRODUCT_NAME}` : PRODUCT_NAME;
}

/** Sets the document's title while mounted and puts the earlier one back. */
export function usePageTitle(title: string | undefined): void {
  useEffect(() => {
    const earlier = document.title;
    document.title = titleOf(title);
    return () => {
      document.title = earlier;
    };
  }, [title]);
}
