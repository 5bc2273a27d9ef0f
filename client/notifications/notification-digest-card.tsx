/** Whether e-mails are sent one by one or as a digest, and the time zone of the digest. */
import { DIGEST } from '#shared/notifications/limits.ts';
import type { Digest, NotificationSettings } from '#shared/notifications/settings.ts';
import { Field } from '#client/ui/field.tsx';
import { RadioList } from '#client/ui/radio-list.tsx';
import { Select } from '#client/ui/select.tsx';

interface NotificationDigestCardProps {
  settings: NotificationSettings;
  onChange: (next: NotificationSettings) => void;
}

const OPTIONS: readonly { value: Digest; label: string; hint: string }[] = [
  {
    value: 'off',
    label: 'One by one',
    hint: 'As soon as something happens; pages that could not be captured come once a day.',
  },
  { value: 'daily', label: 'Daily digest', hint: `Every day at ${DIGEST.hour}:00, what you have not seen.` },
  { value: 'weekly', label: 'Weekly digest', hint: `Mondays at ${DIGEST.hour}:00, what you have not seen.` },
];

const ownZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The time zone is a field only where it matters; its initial value is that of this device. */
export function NotificationDigestCard({ settings, onChange }: NotificationDigestCardProps) {
  const { digest, timezone } = settings;
  const zones = [...new Set([timezone, ownZone(), ...Intl.supportedValuesOf('timeZone')])].toSorted();
  const choose = (next: Digest) =>
    onChange({ ...settings, digest: next, timezone: digest === 'off' ? ownZone() : timezone });
  return (
    <>
      <RadioList label="E-mails" options={OPTIONS} value={digest} onValueChange={choose} />
      {digest !== 'off' && (
        <Field label="Time zone">
          <Select
            options={zones.map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }))}
            value={timezone}
            onChange={(event) => onChange({ ...settings, timezone: event.target.value })}
          />
        </Field>
      )}
    </>
  );
}
