/**
 * Small settings of this browser in local storage, readable where storage is forbidden (private windows, embedded
 * frames). For preferences only: losing everything here must not lose data of the product.
 */

/** The stored text, or undefined when there is none or the browser refuses storage. */
export function readSetting(key: string): string | undefined {
  try {
    return globalThis.localStorage?.getItem(key) ?? undefined;
  } catch {
    // Access itself throws where storage is blocked: then every setting has its default.
    return undefined;
  }
}

/** Stores a text, or deletes it when undefined; returns whether that succeeded. */
export function writeSetting(key: string, value: string | undefined): boolean {
  try {
    if (value === undefined) globalThis.localStorage?.removeItem(key);
    else globalThis.localStorage?.setItem(key, value);
    return true;
  } catch {
    return false;
  }
}
