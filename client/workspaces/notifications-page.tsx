/**
 * `/{workspace_slug}/settings/notifications`: what the person is notified of, how, when e-mails come, which workspaces are
 * muted, and push messages to this browser. The settings are the person's own, the same in every workspace.
 */
import type { NotificationSettings } from '#shared/notifications/settings.ts';
import { usePerson } from '#client/api/session.ts';
import { NotificationChannelsCard } from '#client/notifications/notification-channels-card.tsx';
import { NotificationDigestCard } from '#client/notifications/notification-digest-card.tsx';
import { NotificationSettingsCard } from '#client/notifications/notification-settings-card.tsx';
import { PushCard } from '#client/notifications/push-card.tsx';
import { useIsOnline } from '#client/shell/online.ts';
import { SettingsFrame, SettingsSection } from '#client/workspaces/settings-frame.tsx';
import { Switch } from '#client/ui/switch.tsx';

interface PartProps {
  settings: NotificationSettings;
  onChange: (next: NotificationSettings) => void;
}

function MutedWorkspaces({ settings, onChange }: PartProps) {
  const workspaces = usePerson()?.workspaces ?? [];
  const { mutedWorkspaces } = settings;
  return workspaces.map(({ id, name }) => (
    <Switch
      key={id}
      label={`Mute ${name}`}
      checked={mutedWorkspaces.includes(id)}
      onCheckedChange={(on) => {
        const others = mutedWorkspaces.filter((muted) => muted !== id);
        onChange({ ...settings, mutedWorkspaces: on ? [...others, id] : others });
      }}
    />
  ));
}

function Parts({ settings, onChange }: PartProps) {
  return (
    <>
      <SettingsSection
        title="What you are notified of"
        lead="Changes are saved at once and count for all of your workspaces."
      >
        <NotificationChannelsCard settings={settings} onChange={onChange} />
      </SettingsSection>
      <SettingsSection title="When e-mails come" lead="E-mails about security are always sent at once.">
        <NotificationDigestCard settings={settings} onChange={onChange} />
      </SettingsSection>
      <SettingsSection
        title="Muted workspaces"
        lead="Their notifications stay in the list without a number, an e-mail or a push message."
      >
        <MutedWorkspaces settings={settings} onChange={onChange} />
      </SettingsSection>
    </>
  );
}

export function NotificationsPage() {
  const isOnline = useIsOnline();
  return (
    <SettingsFrame title="Notifications">
      {!isOnline && (
        <output className="block rounded-control bg-sunk px-3 py-2.5 text-sm">
          You are offline. These settings can be changed when you are online.
        </output>
      )}
      <NotificationSettingsCard>
        {(settings, onChange) => <Parts settings={settings} onChange={onChange} />}
      </NotificationSettingsCard>
      <SettingsSection title="Push messages" lead="They arrive while Loci is closed, too.">
        <PushCard />
      </SettingsSection>
    </SettingsFrame>
  );
}
