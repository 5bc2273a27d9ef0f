// How a space may look: names of colours and covers. Without zod, because public pages carry these too.

/** Names of the palette a space may wear; the app maps them to colours of both modes. */
export const SPACE_COLORS = [
  'slate', 'red', 'orange', 'amber', 'lime', 'emerald', 'teal', 'sky', 'indigo', 'violet', 'pink',
] as const; // prettier-ignore
/** Names of the built-in cover patterns. */
export const SPACE_COVERS = ['none', 'dots', 'waves', 'grid', 'rays', 'hills', 'paper'] as const;
