// Resources of a page in a snapshot: as requested by the reader, and as returned.

export type ResourceKind = 'style' | 'image';

export interface ResourceAddress {
  kind: ResourceKind;
  url: string;
}

export interface Resource {
  /** Where the last redirect led. */
  url: string;
  mediaType: string;
  charset: string | undefined;
  body: Uint8Array;
}

/** Undefined for what could not be had within the limits. */
export type LoadResource = (address: ResourceAddress) => Promise<Resource | undefined>;

/** Media types of pictures that a snapshot may contain. */
export const PICTURES: ReadonlySet<string> = new Set([
  ...'image/png image/jpeg image/gif image/webp image/avif image/bmp image/svg+xml'.split(' '),
  ...'image/x-icon image/vnd.microsoft.icon'.split(' '),
]);
