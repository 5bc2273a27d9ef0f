// The table of mails: every mail that is sent names its row here, and content/docs/mails.md has a section and a picture
// of each, which a test checks.

export const MAIL_KINDS = [
  'verify_email',
  'known_address',
  'reset_password',
  'password_changed',
  'change_email',
  'taken_address',
  'email_changed',
  'way_in_changed',
  'invite',
  'shared',
  'notification',
  'digest',
  'confirm_news',
  'access_approved',
  'news',
] as const;

export type MailKind = (typeof MAIL_KINDS)[number];
