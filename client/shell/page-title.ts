/** The title of pages whose title is known only in the browser. */
import { useEffect } from 'react';
import { titleOf } from '#client/public-head.tsx';

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
