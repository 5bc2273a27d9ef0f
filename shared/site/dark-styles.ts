// Where the build leaves the dark look for visitors without script, and the server's pages find it.

/** Path on the site. */
export const DARK_STYLES_PATH = '/dark.css';
