// Numbers of API keys.

/** The most spaces that an API key or a connected app can be limited to. */
export const CREDENTIAL_SPACES_MAX = 1_000;

/** Days until an API key expires unless its owner chooses otherwise. */
export const API_KEY_DAYS = 365;
