// The dark look of visitors without script: where the build writes it, and how documents refer to it.

export const DARK_STYLES_PATH = '/dark.css';

/** Behind all other styles: a file of its own, because few visitors need it, and only where the system prefers dark. */
export const DARK_WITHOUT_SCRIPT = `<noscript><link rel="stylesheet" href="${DARK_STYLES_PATH}" media="(prefers-color-scheme:dark)"></noscript>`;
