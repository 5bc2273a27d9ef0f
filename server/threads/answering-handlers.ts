/** The calls by which owners and admins choose who writes answers. */
import type { answeringEndpoints } from '#shared/threads/answering-endpoints.ts';
import type { Handlers } from '../http/call.ts';
import { answeringSettingsOf, replaceAnswering, testAnswering } from './answering-settings.ts';

export const answeringHandlers = {
  'answering_settings.get': async ({ context, actor }) => ({
    result: await answeringSettingsOf(context, actor),
  }),
  'answering_settings.replace': async ({ context, actor, body }) => ({
    result: await replaceAnswering(context, actor, body),
  }),
  'answering_settings.test': async ({ context, actor, body }) => ({
    result: await testAnswering(context, actor, body),
  }),
} satisfies Handlers<typeof answeringEndpoints>;
