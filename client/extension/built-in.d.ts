/** Constants that the build defines in the scripts of the extension (vite.config.ts). */

/** Origin of the server that a fresh installation names. */
declare const EXTENSION_SERVER: string;
/** Method, path and envelope of each call. */
declare const EXTENSION_CALL_ROWS: Readonly<Record<string, import('#shared/api-client.ts').CallRow>>;
