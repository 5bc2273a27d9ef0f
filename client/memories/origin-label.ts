/** The source of a memory as a label. Names without a label of their own are only capitalised. */
import type { MemoryHead } from '#shared/memories/memory.ts';

const LABELS: Partial<Record<MemoryHead['origin'], string>> = {
  system: 'Sample',
  clone: 'Copied from a public space',
  x: 'X',
  browser_extension: 'Browser extension',
  rss: 'Feed',
  google_drive: 'Google Drive',
  s3: 'S3',
  onedrive: 'OneDrive',
  github: 'GitHub',
  gitlab: 'GitLab',
  whatsapp: 'WhatsApp',
  manual_entry: 'Typed in',
  api: 'API',
};

/** `manual_entry` → "Typed in". */
export function originLabel(origin: string): string {
  const known = new Map<string, string>(Object.entries(LABELS)).get(origin);
  return known ?? origin.charAt(0).toUpperCase() + origin.slice(1).replaceAll('_', ' ');
}
