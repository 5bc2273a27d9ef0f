// The newsletter sign-up call.

/** Path on the landing host, and on the application's own host, where the form without JavaScript posts to. */
export const NEWSLETTER_PATH = '/signup';
