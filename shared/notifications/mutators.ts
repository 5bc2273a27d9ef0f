// Mutations of one's own notifications; they run in the account realm.
import { z } from 'zod';
import { requireRow } from '../define/access.ts';
import { timestamp, withoutUndefined } from '../define/fields.ts';
import { defineMutator } from '../define/mutator.ts';
import { notification } from './notification.ts';

const { shape } = notification.row;
const target = { id: shape.id, at: timestamp };

const updateNotification = defineMutator({
  realm: 'account',
  args: notification.patchArgs.extend(target),
  async run(tx, { id, at, ...given }, context) {
    requireRow(await tx.get('notification', id), 'Notification');
    await tx.update('notification', id, { ...withoutUndefined(given), updated: context.arrival(at) });
  },
});

const removeNotification = defineMutator({
  realm: 'account',
  args: z.object(target),
  run: (tx, { id }) => tx.remove('notification', id),
});

export const notificationMutators = {
  'notification.update': updateNotification,
  'notification.remove': removeNotification,
} as const;
