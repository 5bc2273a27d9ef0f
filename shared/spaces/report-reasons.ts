// Reasons for reporting a public resource, with their labels. Without zod, because public pages load these.

/** Values of the wire. */
export const REPORT_REASONS = [
  'spam',
  'harassment',
  'hate',
  'sexual',
  'violence',
  'illegal',
  'copyright',
  'personal_data',
  'malware',
  'other',
] as const;
export type ReportReason = (typeof REPORT_REASONS)[number];

/** Reason → words of the form. */
export const REPORT_REASON_LABELS: Readonly<Record<ReportReason, string>> = {
  spam: 'Spam or misleading',
  harassment: 'Harassment',
  hate: 'Hate',
  sexual: 'Sexual content',
  violence: 'Violence',
  illegal: 'Something illegal',
  copyright: 'Copyright',
  personal_data: 'Personal data',
  malware: 'Malware or phishing',
  other: 'Something else',
};
