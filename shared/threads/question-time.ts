/**
 * The time that a question names, in English: “last May”, “two weeks ago”, “since 3 March 2024”. Days are those of the
 * calendar, as YYYY-MM-DD. Pure.
 */

import { formatDate } from '../english.ts';

/** Open at a side without a day. */
export interface Period {
  /** The first day. */
  from?: string;
  /** The day behind the last one. */
  until?: string;
}

const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
);
const WEEKDAYS = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ');
const NUMBERS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');
/** The first month of each, counted from 0, in the northern half of the world. */
const SEASONS: Readonly<Record<string, number>> = { spring: 2, summer: 5, autumn: 8, fall: 8, winter: 11 };

const COUNT = String.raw`(\d{1,3}|an?|${NUMBERS.slice(1).join('|')})`;
const UNIT = '(day|week|month|year)s?';
const MONTH = `(${MONTHS.join('|')})`;
const YEAR = String.raw`((?:19|20)\d\d)`;
const DAY = String.raw`(\d{1,2})(?:st|nd|rd|th)?`;
/** Which side of the time is meant; without one it is the time itself. */
const SIDE = String.raw`(?:(since|after|before|until|till)\s+)?`;
/** A name of a month or season alone may be another word: it needs one of these before it. */
const NAMED = String.raw`(since|after|before|until|till|in|during|of|from|last|this|early|late)\s+(?:the\s+)?(?:early\s+|late\s+)?`;

interface Days {
  from: Date;
  until: Date;
}

type Reader = (words: (string | undefined)[], today: Date) => Days | undefined;

const dayOf = (year: number, month: number, day: number): Date => new Date(Date.UTC(year, month, day));
const written = (date: Date): string => date.toISOString().slice(0, 10);

function shifted(date: Date, unit: string, count: number): Date {
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  if (unit === 'year') return dayOf(year + count, month, day);
  if (unit === 'month') {
    // Of 31 May there is no day in April.
    const last = dayOf(year, month + count + 1, 0).getUTCDate();
    return dayOf(year, month + count, Math.min(day, last));
  }
  return dayOf(year, month, day + count * (unit === 'week' ? 7 : 1));
}

/** The day, the week from Monday, the month or the year that has a day. */
function unitOf(date: Date, unit: string): Days {
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  const from = {
    year: () => dayOf(year, 0, 1),
    month: () => dayOf(year, month, 1),
    week: () => dayOf(year, month, day - ((date.getUTCDay() + 6) % 7)),
    day: () => date,
  }[unit as 'day']();
  return { from, until: shifted(from, unit, 1) };
}

const countIn = (word = ''): number =>
  /^an?$/i.test(word) ? 1 : Number(word) || NUMBERS.indexOf(word.toLowerCase());

/** A month or season without a year is the newest one that has begun; “last May” in May is that of the year before. */
function monthsOf(
  first: number,
  length: number,
  year: number | undefined,
  isLast: boolean,
  today: Date,
): Days {
  const at = (each: number): Days => ({ from: dayOf(each, first, 1), until: dayOf(each, first + length, 1) });
  if (year !== undefined) return at(year);
  const own = at(today.getUTCFullYear());
  const isOver = isLast ? own.until <= today : own.from <= today;
  return isOver ? own : at(today.getUTCFullYear() - 1);
}

function dayIn(day: number, month: string, year: string | undefined, today: Date): Days | undefined {
  const number = MONTHS.indexOf(month.toLowerCase());
  const at = (each: number) => unitOf(dayOf(each, number, day), 'day');
  const own = at(year === undefined ? today.getUTCFullYear() : Number(year));
  if (own.from.getUTCMonth() !== number) return undefined;
  return year === undefined && own.from > today ? at(today.getUTCFullYear() - 1) : own;
}

const FORMS: readonly [pattern: string, read: Reader][] = [
  [`${SIDE}(?:the )?day before yesterday`, (_, today) => unitOf(shifted(today, 'day', -2), 'day')],
  [`${SIDE}yesterday`, (_, today) => unitOf(shifted(today, 'day', -1), 'day')],
  [`${SIDE}today`, (_, today) => unitOf(today, 'day')],
  [
    String.raw`()(?:(?:in|during|over|within)\s+)?(?:the\s+)?(?:last|past)\s+${COUNT}\s+${UNIT}`,
    ([, count, unit = ''], today) => ({
      from: shifted(today, unit, -countIn(count)),
      until: shifted(today, 'day', 1),
    }),
  ],
  [
    String.raw`${SIDE}${COUNT}\s+${UNIT}\s+ago`,
    ([, count, unit = ''], today) => unitOf(shifted(today, unit, -countIn(count)), unit),
  ],
  [
    String.raw`${SIDE}(?:in\s+|during\s+)?(this|last|past|previous)\s+(week|month|year)`,
    ([, which, unit = ''], today) => unitOf(shifted(today, unit, /this/i.test(which ?? '') ? 0 : -1), unit),
  ],
  [
    String.raw`(?:(since|after|before|until|till)|on|last|this)\s+(?:last\s+)?(${WEEKDAYS.join('|')})`,
    ([, weekday = ''], today) => {
      const back = (today.getUTCDay() - WEEKDAYS.indexOf(weekday.toLowerCase()) + 7) % 7;
      return unitOf(shifted(today, 'day', -(back || 7)), 'day');
    },
  ],
  [
    String.raw`${SIDE}(?:on\s+)?(?:the\s+)?${DAY}\s+(?:of\s+)?${MONTH}(?:,?\s+${YEAR})?`,
    ([, day, month = '', year], today) => dayIn(Number(day), month, year, today),
  ],
  [
    String.raw`${SIDE}(?:on\s+)?${MONTH}\s+${DAY}(?!\d)(?:,?\s+${YEAR})?`,
    ([, month = '', day, year], today) => dayIn(Number(day), month, year, today),
  ],
  [
    String.raw`${SIDE}(?:(?:in|during|of|from)\s+)?${MONTH}\s+(?:of\s+)?${YEAR}`,
    ([, month = '', year], today) =>
      monthsOf(MONTHS.indexOf(month.toLowerCase()), 1, Number(year), false, today),
  ],
  [
    `${NAMED}${MONTH}`,
    ([side, month = ''], today) =>
      monthsOf(MONTHS.indexOf(month.toLowerCase()), 1, undefined, /last/i.test(side ?? ''), today),
  ],
  [
    String.raw`${NAMED}(${Object.keys(SEASONS).join('|')})(?:\s+(?:of\s+)?${YEAR})?`,
    ([side, season = '', year], today) =>
      monthsOf(
        SEASONS[season.toLowerCase()] ?? 0,
        3,
        year === undefined ? undefined : Number(year),
        /last/i.test(side ?? ''),
        today,
      ),
  ],
  [`${NAMED}${YEAR}`, ([, year]) => unitOf(dayOf(Number(year), 0, 1), 'year')],
];

const READERS = FORMS.map(([pattern, read]) => [new RegExp(String.raw`\b${pattern}\b`, 'gi'), read] as const);

export interface TimedQuestion {
  period: Period;
  /** The question without words for a time. */
  rest: string;
}

/** The last time that a question names; undefined without one. `today` is YYYY-MM-DD. */
export function timeIn(question: string, today: string): TimedQuestion | undefined {
  const now = new Date(`${today}T00:00:00Z`);
  let found: { at: number; length: number; period: Period } | undefined;
  for (const [pattern, read] of READERS) {
    for (const match of question.matchAll(pattern)) {
      const [text, ...words] = match;
      const days = read(words, now);
      if (days === undefined || (found !== undefined && match.index < found.at + found.length)) continue;
      found = { at: match.index, length: text.length, period: periodOf(days, words[0]) };
    }
  }
  if (found === undefined) return undefined;
  const { at, length, period } = found;
  const rest = `${question.slice(0, at)} ${question.slice(at + length)}`.replace(/\s+/g, ' ').trim();
  // A follow-up stands behind the question that it leans on, which may name another time.
  return { period, rest: timeIn(rest, today)?.rest ?? rest };
}

/** “before the move”: a time that only a memory of that name can tell. */
const EVENT =
  /\b(since|after|before|until|till)\s+(?:the|my|our)\s+([\p{L}\p{N}][\p{L}\p{N}'’ -]{1,40}?)\s*(?=[?.,;:!]|$)/iu;
const EVENT_WORDS = 4;

export interface EventInQuestion {
  name: string;
  /** The question without it. */
  rest: string;
  /** The period on its side of a day, written YYYY-MM-DD. */
  periodFrom: (day: string) => Period;
}

export function eventIn(question: string): EventInQuestion | undefined {
  const match = EVENT.exec(question);
  const [text = '', side = '', name = ''] = match ?? [];
  if (match === null || name.split(/\s+/).length > EVENT_WORDS) return undefined;
  const rest = `${question.slice(0, match.index)} ${question.slice(match.index + text.length)}`.trim();
  return { name, rest, periodFrom: (day) => periodOf(unitOf(new Date(`${day}T00:00:00Z`), 'day'), side) };
}

function periodOf({ from, until }: Days, side = ''): Period {
  switch (side.toLowerCase()) {
    case 'since':
      return { from: written(from) };
    case 'after':
      return { from: written(until) };
    case 'before':
    case 'until':
    case 'till':
      return { until: written(from) };
    default:
      return { from: written(from), until: written(until) };
  }
}

/** `since 3 March 2024`, `1 May 2024 to 31 May 2024`, for a sentence. */
export function periodInWords({ from, until }: Period): string {
  const dayAt = (day: string, shift = 0): string => {
    const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
    return formatDate(new Date(year, month - 1, date + shift));
  };
  if (from === undefined) return until === undefined ? '' : `before ${dayAt(until)}`;
  if (until === undefined) return `since ${dayAt(from)}`;
  const [first, last] = [dayAt(from), dayAt(until, -1)];
  return first === last ? first : `${first} to ${last}`;
}
