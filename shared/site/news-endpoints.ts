// The call with which the people who run a server announce what is new. Staff are named in the configuration; for all other
// people it is forbidden.
import { z } from 'zod';
import { LIMITS } from '../constants.ts';
import { defineEndpoint } from '../define/endpoint.ts';
import { text } from '../define/fields.ts';

export const news = z.object({
  title: text(LIMITS.title).trim().min(1, 'Required'),
  body: text(LIMITS.description).trim().min(1, 'Required'),
  /** Path of this server; browsers read a backslash as a slash, and two of them begin another host. */
  link: text(LIMITS.url)
    .regex(/^\/(?![/\\])\S*$/, 'Must be a path of this server')
    .optional(),
});
export type News = z.output<typeof news>;

export const newsEndpoints = {
  'news.create': defineEndpoint({
    method: 'POST',
    path: '/v1/news',
    summary:
      'Tells everyone what is new: accounts on the channels that each person chose, and confirmed newsletter addresses by e-mail. For staff.',
    auth: 'session',
    body: news,
    result: z.object({ accounts: z.number().int(), newsletter: z.number().int() }),
    example: {
      title: 'Spaces have covers',
      body: 'Each space draws its own from its name.',
      link: '/blog/covers',
    },
  }),
} as const;
