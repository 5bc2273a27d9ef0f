/**
 * Small settings of this browser in local storage, readable where storage is forbidden (private windows, embedded frames).
 * Holds no data of the product: losing everything here must cost a reader nothing but a preference.
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

/** Stores a text, or forgets it; answers whether the browser kept it. */
export function writeSetting(key: string, value: string | undefined): boolean {
  try {
    if (value === undefined) globalThis.localStorage?.removeItem(key);
    else globalThis.localStorage?.setItem(key, value);
    return true;
  } catch {
    return false;
  }
}
