/** Loads the person's notification settings and passes them, with a function to change them, to its content. */
import { type ReactNode, useCallback, useRef, useState } from 'react';
import { DEFAULT_NOTIFICATION_SETTINGS, type NotificationSettings } from '#shared/notifications/settings.ts';
import { api } from '#client/api/session-client.ts';
import { useResult } from '#client/api/use-result.ts';
import { LoadedList } from '#client/shell/loaded-list.tsx';
import { showProblem } from '#client/shell/problem-toast.ts';
import type { Loaded } from '#client/shell/use-loaded.ts';

interface NotificationSettingsCardProps {
  children: (settings: NotificationSettings, onChange: (next: NotificationSettings) => void) => ReactNode;
}

export function NotificationSettingsCard({ children }: NotificationSettingsCardProps) {
  const { known, load, change } = useNotificationSettings();
  return (
    <LoadedList
      known={known}
      what="your notification settings"
      usual={DEFAULT_NOTIFICATION_SETTINGS}
      onRetry={() => void load()}
    >
      {(settings) => children(settings, (next) => void change(next))}
    </LoadedList>
  );
}

interface SettingsInHand {
  known: Loaded<NotificationSettings>;
  load: () => Promise<void>;
  /** Shows the change at once; one that the server refuses is reverted. */
  change: (next: NotificationSettings) => Promise<void>;
}

/**
 * The person's settings from the server, and changes to them, which are saved at once and in order. Read at every visit.
 */
function useNotificationSettings(): SettingsInHand {
  const { known, load } = useResult('notification_settings.get', {});
  const [changed, setChanged] = useState<NotificationSettings>();
  const saving = useRef(Promise.resolve());
  const change = useCallback(
    async (next: NotificationSettings) => {
      setChanged(next);
      const save = async () => {
        try {
          const { transactional: _locked, ...categories } = next.categories;
          await api('notification_settings.replace', { body: { ...next, categories } });
        } catch (failure) {
          showProblem(failure);
          await load();
          setChanged(undefined);
        }
      };
      saving.current = saving.current.then(save);
      await saving.current;
    },
    [load],
  );
  const shown = known.state === 'here' && changed ? { ...known, value: changed } : known;
  return { known: shown, load, change };
}
