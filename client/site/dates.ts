// Days as people read them.

const format = new Intl.DateTimeFormat('en', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});

/** '2026-11-20' → 'November 20, 2026'. */
export function formatDay(day: string): string {
  return format.format(new Date(`${day}T00:00:00Z`));
}
