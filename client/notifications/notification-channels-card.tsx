/** Notification channels: one row per category, with its events below. */
import { clsx } from 'clsx';
import {
  channelsFor,
  CHANNELS,
  type Channel,
  type NotificationSettings,
} from '#shared/notifications/settings.ts';
import { TRIGGERS, TRIGGER_IDS, type TriggerId } from '#shared/notifications/triggers.ts';
import { Checkbox } from '#client/ui/checkbox.tsx';

const CHANNEL_LABELS: Readonly<Record<Channel, string>> = { inApp: 'In app', email: 'E-mail', push: 'Push' };

/** Categories with events of this server. */
const CATEGORIES = [
  { name: 'security', label: 'Security', hint: 'Always in the app and by e-mail.' },
  { name: 'billing', label: 'Limits', hint: 'When a workspace of yours uses up what it may.' },
  { name: 'workspace', label: 'Workspaces', hint: 'People, imports and what happens to your content.' },
  { name: 'internal', label: 'News', hint: 'What is new in the product.' },
] as const;
type Category = (typeof CATEGORIES)[number]['name'];

interface NotificationChannelsCardProps {
  settings: NotificationSettings;
  onChange: (next: NotificationSettings) => void;
}

const triggersOf = (category: Category) =>
  TRIGGER_IDS.filter((id) => TRIGGERS[id].category === category && !('staff' in TRIGGERS[id]));

const isLocked = (category: Category, channel: Channel) => category === 'security' && channel !== 'push';

/** A switch of a category is for all of its events, so exceptions on that channel end. */
function withCategory(
  settings: NotificationSettings,
  category: Category,
  change: { channel: Channel; on: boolean },
): NotificationSettings {
  const { channel, on } = change;
  const triggers = Object.entries(settings.triggers).map(([id, exception]) => {
    const { [channel]: _former, ...others } = exception;
    return [id, triggersOf(category).some((own) => own === id) ? others : exception] as const;
  });
  const categories = {
    ...settings.categories,
    [category]: { ...settings.categories[category], [channel]: on },
  };
  return { ...settings, categories, triggers: Object.fromEntries(triggers) };
}

function withTrigger(
  settings: NotificationSettings,
  id: TriggerId,
  { channel, on }: { channel: Channel; on: boolean },
): NotificationSettings {
  const exception = { ...settings.triggers[id], [channel]: on };
  return { ...settings, triggers: { ...settings.triggers, [id]: exception } };
}

/** One column per channel, in the same places in every table. */
const CELL = 'w-14 py-2 text-center sm:w-18';

function Head({ of }: { of: string }) {
  return (
    <thead className="text-xs text-ink-muted">
      <tr>
        <th scope="col" className="py-1 text-start font-medium">
          {of}
        </th>
        {CHANNELS.map((channel) => (
          <th key={channel} scope="col" className={clsx(CELL, 'font-medium')}>
            {CHANNEL_LABELS[channel]}
          </th>
        ))}
      </tr>
    </thead>
  );
}

interface CellsProps {
  name: string;
  checked: (channel: Channel) => boolean | 'mixed';
  locked: (channel: Channel) => boolean;
  onChange: (channel: Channel, on: boolean) => void;
}

function Cells({ name, checked, locked, onChange }: CellsProps) {
  return CHANNELS.map((channel) => (
    <td key={channel} className={CELL}>
      <Checkbox
        hideLabel
        className="inline-flex"
        label={`${name}: ${CHANNEL_LABELS[channel]}`}
        checked={checked(channel)}
        disabled={locked(channel)}
        onCheckedChange={(on) => onChange(channel, on)}
      />
    </td>
  ));
}

/** The two tables. */
export function NotificationChannelsCard({ settings, onChange }: NotificationChannelsCardProps) {
  const wanted = (id: TriggerId) =>
    channelsFor(settings, { category: TRIGGERS[id].category, triggerId: id, workspaceId: null });
  const ofCategory = (category: Category, channel: Channel) => {
    const states = new Set(triggersOf(category).map((id) => wanted(id)[channel]));
    return states.size > 1 ? 'mixed' : settings.categories[category][channel];
  };
  return (
    <>
      <table className="w-full border-collapse">
        <Head of="Category" />
        <tbody className="divide-y divide-line/60">
          {CATEGORIES.map(({ name, label, hint }) => (
            <tr key={name}>
              <th scope="row" className="py-2 pe-3 text-start font-normal">
                {label}
                <span className="block text-xs text-ink-muted">{hint}</span>
              </th>
              <Cells
                name={label}
                checked={(channel) => ofCategory(name, channel)}
                locked={(channel) => isLocked(name, channel)}
                onChange={(channel, on) => onChange(withCategory(settings, name, { channel, on }))}
              />
            </tr>
          ))}
        </tbody>
      </table>
      <details>
        <summary className="w-fit cursor-pointer rounded-xs text-sm text-primary hover:underline pointer-coarse:py-2.5">
          Choose single events
        </summary>
        {CATEGORIES.map(({ name, label }) => (
          <table key={name} className="mt-3 w-full border-collapse">
            <Head of={label} />
            <tbody className="divide-y divide-line/60">
              {triggersOf(name).map((id) => (
                <tr key={id}>
                  <th scope="row" className="py-2 pe-3 text-start font-normal">
                    {TRIGGERS[id].label}
                  </th>
                  <Cells
                    name={TRIGGERS[id].label}
                    checked={(channel) => wanted(id)[channel]}
                    locked={(channel) => isLocked(name, channel)}
                    onChange={(channel, on) => onChange(withTrigger(settings, id, { channel, on }))}
                  />
                </tr>
              ))}
            </tbody>
          </table>
        ))}
      </details>
    </>
  );
}
