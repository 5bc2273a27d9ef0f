/**
 * `/{workspace_slug}/settings/account`: what belongs to the person in every workspace: name, address, ways to log in, sessions,
 * this device, a copy of their data, and the end of the account. All but the device is the server's.
 */
import { DeleteAccount } from '#client/accounts/delete-account-card.tsx';
import { EmailRow } from '#client/accounts/email-card.tsx';
import { ExportAccount } from '#client/accounts/export-card.tsx';
import { NameForm } from '#client/accounts/name-card.tsx';
import { SessionsCard } from '#client/accounts/sessions-card.tsx';
import { WaysInCard } from '#client/accounts/ways-in-card.tsx';
import { usePerson } from '#client/api/session.ts';
import { setColorMode } from '#client/shell/color-mode.ts';
import { useIsOnline } from '#client/shell/online.ts';
import { useColorMode } from '#client/shell/use-color-mode.ts';
import { SegmentedControl } from '#client/ui/segmented-control.tsx';
import { DeviceStorage } from '#client/workspaces/device-storage.tsx';
import { SettingsFrame, SettingsSection } from '#client/workspaces/settings-frame.tsx';

export function AccountPage() {
  const person = usePerson();
  const isOnline = useIsOnline();
  if (!person) return null;
  const { user } = person;
  return (
    <SettingsFrame title="Account">
      {!isOnline && (
        <output className="block rounded-control bg-sunk px-3 py-2.5 text-sm">
          You are offline. Your account can be changed when you are online.
        </output>
      )}
      <SettingsSection title="Name" lead="The members of your workspaces see your first and last name.">
        <NameForm key={user.id} user={user} />
      </SettingsSection>
      <SettingsSection title="E-mail address" lead="For logging in, and for mails about your account.">
        <EmailRow user={user} />
      </SettingsSection>
      <SettingsSection title="Logging in">
        <WaysInCard email={user.email} />
      </SettingsSection>
      <SettingsSection title="Sessions" lead="The browsers in which you are logged in.">
        <SessionsCard />
      </SettingsSection>
      <SettingsSection title="On this device">
        <ColorChoice />
        <DeviceStorage />
      </SettingsSection>
      <SettingsSection
        title="Your data"
        lead="One zip with your profile, how you log in, sessions, memberships, connected apps, notification settings and the memories you own, with their files and saved pages."
      >
        <ExportAccount />
      </SettingsSection>
      <SettingsSection
        title="Delete the account"
        lead="Shows what happens to your workspaces, and asks you to confirm."
      >
        <DeleteAccount user={user} />
      </SettingsSection>
    </SettingsFrame>
  );
}

const MODES = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
  { value: 'system', label: 'System' },
] as const;

/** The colours of this browser, for every account. They are stored there and need no server. */
function ColorChoice() {
  const { mode } = useColorMode();
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <span>Colours</span>
      <SegmentedControl label="Colours" options={MODES} value={mode} onValueChange={setColorMode} />
    </div>
  );
}
