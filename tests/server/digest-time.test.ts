/** The hour of a digest: the same on the person's clock in every zone and across changes of clocks. */
import { describe, expect, it } from 'vitest';
import { nextDigestAt } from '#server/notifications/digest-time.ts';

const next = (now: string, digest: 'daily' | 'weekly', timezone: string) =>
  nextDigestAt(new Date(now), { digest, timezone })?.toISOString();

describe('the next digest', () => {
  it('is today when the hour is still to come, else tomorrow', () => {
    expect(next('2026-07-01T07:59:59.999Z', 'daily', 'UTC')).toBe('2026-07-01T08:00:00.000Z');
    expect(next('2026-07-01T08:00:00.000Z', 'daily', 'UTC')).toBe('2026-07-02T08:00:00.000Z');
  });

  it('is at eight on the clock of the zone, also where the day is another one', () => {
    expect(next('2026-07-01T12:00:00.000Z', 'daily', 'Europe/Berlin')).toBe('2026-07-02T06:00:00.000Z');
    expect(next('2026-07-01T12:00:00.000Z', 'daily', 'Pacific/Kiritimati')).toBe('2026-07-01T18:00:00.000Z');
    expect(next('2026-07-01T12:00:00.000Z', 'daily', 'Asia/Kathmandu')).toBe('2026-07-02T02:15:00.000Z');
    expect(next('2026-07-01T12:00:00.000Z', 'daily', 'America/Los_Angeles')).toBe('2026-07-01T15:00:00.000Z');
  });

  it('keeps its hour across changes of clocks', () => {
    expect(next('2026-03-28T12:00:00.000Z', 'daily', 'Europe/Berlin')).toBe('2026-03-29T06:00:00.000Z');
    expect(next('2026-10-24T12:00:00.000Z', 'daily', 'Europe/Berlin')).toBe('2026-10-25T07:00:00.000Z');
  });

  it('is on Mondays when it is weekly', () => {
    expect(next('2026-07-01T12:00:00.000Z', 'weekly', 'UTC')).toBe('2026-07-06T08:00:00.000Z');
    expect(next('2026-07-06T08:00:00.000Z', 'weekly', 'UTC')).toBe('2026-07-13T08:00:00.000Z');
    expect(next('2026-07-05T23:00:00.000Z', 'weekly', 'Asia/Tokyo')).toBe('2026-07-12T23:00:00.000Z');
  });

  it('never comes when there is none', () => {
    expect(nextDigestAt(new Date(), { digest: 'off', timezone: 'UTC' })).toBeUndefined();
  });
});
