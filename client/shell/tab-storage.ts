/** Small values that live as long as this tab, over reloads and log-ins. A browser that blocks storage has none. */

/** Undefined where nothing was stored. */
export function readTab(key: string): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null') ?? undefined;
  } catch (error) {
    console.info(`tab: ${key} could not be read`, error);
    return undefined;
  }
}

/** False where the browser did not store it; `undefined` removes it. */
export function writeTab(key: string, value: unknown): boolean {
  try {
    if (value === undefined) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(value));
    return true;
  } catch (error) {
    console.info(`tab: ${key} could not be stored`, error);
    return false;
  }
}
