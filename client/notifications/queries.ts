// Reads of one's own notifications from the replica.
import type { Notification } from '#shared/notifications/notification.ts';
import { useKnownOfAccount, type Known } from '#client/replica/use-known.ts';
import { useQuery } from '#client/replica/use-query.ts';

/** Those that were not archived, or those that were, newest first. */
export function useNotifications(list: Notification['status']): Known<readonly Notification[]> {
  return useKnownOfAccount(
    (view) => view.list('notification').filter(({ status }) => status === list),
    [list],
  );
}

/** How many were not seen yet. */
export function useUnseenCount(): number {
  return useQuery(
    (view) => view.list('notification').filter(({ status, seen }) => status === 'active' && !seen).length,
    [],
  );
}
