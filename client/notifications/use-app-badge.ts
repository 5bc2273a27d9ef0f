/** The number on the installed application's icon: what was not seen yet. Browsers without badges have the sidebar's number. */
import { useEffect } from 'react';
import { useUnseenCount } from '#client/notifications/queries.ts';

/** https://w3c.github.io/badging/; 0 takes it away. */
function tell(count: number): void {
  navigator
    .setAppBadge?.(count)
    .catch((failure: unknown) => console.info('The badge could not be set', failure));
}

/** Once per workspace that is open; gone with it. */
export function useAppBadge(): void {
  const unseen = useUnseenCount();
  useEffect(() => {
    tell(unseen);
  }, [unseen]);
  useEffect(() => () => tell(0), []);
}
