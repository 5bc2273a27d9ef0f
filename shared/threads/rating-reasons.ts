// Why an answer was rated as it was, and how each reason is called. Without zod, because pages carry these.

/** Values of the wire (PRODUCT 5.11). */
export const RATING_REASONS = [
  'inaccurate',
  'not_relevant',
  'missing_source',
  'unsafe',
  'style',
  'other',
] as const;
export type RatingReason = (typeof RATING_REASONS)[number];

/** Reason → words of the form. */
export const RATING_REASON_LABELS: Readonly<Record<RatingReason, string>> = {
  inaccurate: 'How accurate it is',
  not_relevant: 'How well it fits the question',
  missing_source: 'Its sources',
  unsafe: 'How safe it is',
  style: 'How it is written',
  other: 'Something else',
};
