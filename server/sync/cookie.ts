// The pull cookie: how far a replica is, signed so that no client can claim a position in an audience of others. Pure but for
// the HMAC; it uses no database.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';

/**
 * [deltas are applied up to this version, backfilled up to this key (null = completely), and, while deltas come in several
 * responses, the version at which they were complete before].
 */
export const progress = z.tuple([z.number().int().min(0), z.string().nullable()], z.number().int().min(0));
export type Progress = z.infer<typeof progress>;

const cookieSchema = z.strictObject({
  /** Grows with every response that differs; Replicache compares nothing else. */
  order: z.string(),
  /** Counts the resets of this replica, so that `order` grows even when versions fall after a restore. */
  g: z.number().int().min(0),
  /** Version of the realm in the snapshot behind the last response. */
  n: z.number().int().min(0),
  /** Page number at that version. */
  s: z.number().int().min(0),
  /** Epoch of the realm. */
  e: z.string(),
  /** Mutation ids were reported up to this version; while the realm is closed, the sum of the ids that were. */
  lv: z.number().int().min(0),
  /** When the realm reached version n, in milliseconds. */
  t: z.number().int().min(0),
  a: z.record(z.string(), progress),
  /** Entries loaded and expected, while a backfill runs. */
  c: z.tuple([z.number(), z.number()]).optional(),
  /** The user's device has been informed that the realm is closed to them. */
  x: z.literal(1).optional(),
  sig: z.string(),
});

/** Position of a replica, as signed by the server. */
export type Cookie = z.infer<typeof cookieSchema>;
/** A cookie before it is ordered and signed. */
export type CookieContent = Omit<Cookie, 'order' | 'sig'>;

/** Whose cookie it is; part of the signature. */
export interface CookieOwner {
  userId: string;
  realmId: string;
}

const RESETS_MAX = 999_999;
const ORDER = /^(\d{6})\.\d{16}\.\d{8}$/;

/** Sortable text of generation, version and page. */
function orderOf({ g, n, s }: Pick<Cookie, 'g' | 'n' | 's'>): string {
  return `${String(g).padStart(6, '0')}.${String(n).padStart(16, '0')}.${String(s).padStart(8, '0')}`;
}

function signature(secret: string, owner: CookieOwner, content: CookieContent): string {
  const audiences = Object.entries(content.a).sort(([x], [y]) => (x < y ? -1 : 1));
  const { g, n, s, e, lv, t, c, x } = content;
  const signed = [owner.userId, owner.realmId, g, n, s, e, lv, t, c ?? null, x ?? null, audiences];
  return createHmac('sha256', secret).update(JSON.stringify(signed)).digest('base64url');
}

/** Orders and signs. */
export function sealCookie(secret: string, owner: CookieOwner, content: CookieContent): Cookie {
  return { ...content, order: orderOf(content), sig: signature(secret, owner, content) };
}

/** The cookie when it is ours and was made for this user and realm, else undefined. */
export function openCookie(secret: string, owner: CookieOwner, given: unknown): Cookie | undefined {
  const parsed = cookieSchema.safeParse(given);
  if (!parsed.success || parsed.data.order !== orderOf(parsed.data)) return undefined;
  // As bytes: a damaged signature may have as many characters as a good one and still another length.
  const [expected, found] = [signature(secret, owner, parsed.data), parsed.data.sig].map((text) =>
    Buffer.from(text),
  );
  if (expected === undefined || found === undefined || expected.length !== found.length) return undefined;
  return timingSafeEqual(expected, found) ? parsed.data : undefined;
}

/**
 * The generation that sorts after any cookie a replica may hold, also one whose signature is not ours any more;
 * undefined when there is none left, and the replica has to start as a new client group.
 */
export function nextGeneration(given: unknown): number | undefined {
  if (given === null || given === undefined) return 0;
  const order = typeof given === 'object' && 'order' in given ? given.order : given;
  const match = typeof order === 'string' ? ORDER.exec(order) : null;
  if (match === null) return undefined;
  const next = Number(match[1]) + 1;
  return next > RESETS_MAX ? undefined : next;
}
