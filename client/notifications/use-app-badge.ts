/** The badge of the installed application's icon: the number of unseen notifications. Without badges, see the sidebar. */
import { useEffect } from 'react';
import { useUnseenCount } from '#client/notifications/queries.ts';

/** https://w3c.github.io/badging/; 0 removes it. */
function tell(count: number): void {
  navigator
    .setAppBadge?.(count)
    .catch((failure: unknown) => console.info('The badge could not be set', failure));
}

/** Call once per open workspace; closing it clears the badge. */
export function useAppBadge(): void {
  const unseen = useUnseenCount();
  useEffect(() => {
    tell(unseen);
  }, [unseen]);
  useEffect(() => () => tell(0), []);
}
