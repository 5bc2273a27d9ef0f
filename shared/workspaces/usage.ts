// Contents and usage of a workspace, for its usage page. Null means that a figure is not counted here, which is different
// from zero.
import { z } from 'zod';

const count = z.number().int();
const counted = count.nullable();
const counts = z.record(z.string(), count);

export const usage = z
  .object({
    /** The calendar month in UTC. */
    period: z.object({ start: z.iso.datetime(), end: z.iso.datetime() }),
    memories: z.object({
      total: count,
      archived: count,
      byType: counts,
      byOrigin: counts,
      byStatus: counts,
      /** Created within the period. */
      created: count,
    }),
    spaces: z.object({ total: count, public: count }),
    threads: z.object({ total: count, public: count }),
    messages: z.object({ total: count, inPeriod: count, byRole: counts }),
    members: z.object({ total: count, byPosition: counts, pendingInvites: count }),
    storage: z.object({ bytes: count, byKind: counts }),
    /** Only for owners and admins. */
    ai: z
      .object({
        /** Answers that a language model wrote, with their tokens. */
        calls: count,
        tokensIn: count,
        tokensOut: count,
        /** Of the calls, those whose tokens were estimated, because the service did not report them. */
        estimated: count,
        /** `embedding`: requests for vectors of texts and queries. */
        byFeature: counts,
        /** Tokens that those requests read, as far as the service reported them. */
        embeddingTokens: count,
        /** Those of the last 30 days that had calls, oldest first. */
        byDay: z.array(z.object({ date: z.iso.date(), calls: count, tokensIn: count, tokensOut: count })),
      })
      .nullable(),
    search: z.object({ queries: counted }),
    api: z.object({
      requests: counted,
      errors: counted,
      /** Only for owners and admins. */
      byKey: z
        .array(
          z.object({
            id: z.string(),
            /** Null for a key that was revoked. */
            name: z.string().nullable(),
            requests: count,
          }),
        )
        .nullable(),
    }),
    publicViews: z.object({ spaces: counted, threads: counted }),
    /** The last 30 days, oldest first. */
    series: z.array(z.object({ date: z.iso.date(), memories: count, messages: count, requests: counted })),
    topDomains: z.array(z.object({ domain: z.string(), count })).max(10),
    topTags: z.array(z.object({ tag: z.string(), count })).max(10),
    /** Null = unlimited. */
    limits: z.record(z.string(), counted),
  })
  .meta({ id: 'Usage' });
export type Usage = z.infer<typeof usage>;
