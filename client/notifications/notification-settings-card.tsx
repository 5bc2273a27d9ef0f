/** Loads the person's notification settings and passes them, with a function to change them, to its content. */
import type { ReactNode } from 'react';
import type { NotificationSettings } from '#shared/notifications/settings.ts';
import { useNotificationSettings } from '#client/notifications/use-notification-settings.ts';
import { LoadedList } from '#client/shell/loaded-list.tsx';

interface NotificationSettingsCardProps {
  children: (settings: NotificationSettings, onChange: (next: NotificationSettings) => void) => ReactNode;
}

export function NotificationSettingsCard({ children }: NotificationSettingsCardProps) {
  const { known, load, change } = useNotificationSettings();
  return (
    <LoadedList known={known} what="your notification settings" onRetry={() => void load()}>
      {(settings) => children(settings, (next) => void change(next))}
    </LoadedList>
  );
}
