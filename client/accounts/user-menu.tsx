/**
 * The foot of the sidebar: who is signed in, and the entries that concern the person rather than the workspace. Logging out is
 * a callback, because a confirmation may come first.
 */
import { Keyboard, LogOut, Monitor, MonitorDown, Moon, Settings, Sun } from 'lucide-react';
import { clsx } from 'clsx';
import { displayName } from '#shared/accounts/display-name.ts';
import { PRODUCT_NAME } from '#shared/constants.ts';
import { pathTo } from '#shared/pages.ts';
import { usePerson } from '#client/api/session.ts';
import { setColorMode, type ColorMode } from '#client/shell/color-mode.ts';
import { useColorMode } from '#client/shell/use-color-mode.ts';
import { useStore } from '#client/shell/external-store.ts';
import { setGuideOpen } from '#client/shell/guide-state.ts';
import { install, installOffer } from '#client/shell/install.ts';
import { askLogout } from '#client/shell/logout-request.ts';
import { showProblem } from '#client/shell/problem-toast.ts';
import { keysOf } from '#client/shell/shortcut-catalogue.ts';
import { sidebarRow } from '#client/shell/sidebar-link.tsx';
import { useWorkspaceSlug } from '#client/workspaces/queries.ts';
import { Avatar } from '#client/ui/avatar.tsx';
import { DropdownMenu } from '#client/ui/dropdown-menu.tsx';

const MODES = [
  { value: 'light', label: 'Light', icon: <Sun /> },
  { value: 'dark', label: 'Dark', icon: <Moon /> },
  { value: 'system', label: 'System', icon: <Monitor /> },
] as const;

function isMode(value: string): value is ColorMode {
  return MODES.some((mode) => mode.value === value);
}

/** The e-mail address is shown to its owner only. */
export function UserMenu({ collapsed }: { collapsed: boolean }) {
  const person = usePerson();
  const slug = useWorkspaceSlug();
  const { mode } = useColorMode();
  const { way } = useStore(installOffer);
  if (!person) return null;
  const name = displayName(person.user);
  return (
    <DropdownMenu
      align="start"
      side="top"
      trigger={
        <button
          type="button"

          className={clsx(sidebarRow(collapsed), 'text-ink!')}
        >
          <Avatar name={name} seed={person.user.id} size="sm" />
          <span className="sr-only">Account of </span>
          <span className={collapsed ? 'sr-only' : 'min-w-0 flex-1 truncate text-start'}>{name}</span>
        </button>
      }
      entries={[
        { kind: 'heading', label: person.user.email },
        {
          kind: 'link',
          label: 'Settings',
          icon: <Settings />,
          keys: keysOf('go.settings'),
          to: pathTo('settings', { workspace_slug: slug }),
        },
        {
          label: 'Keyboard shortcuts',
          icon: <Keyboard />,
          keys: keysOf('guide.open'),
          run: () => setGuideOpen(true),
        },
        ...(way === 'none'
          ? []
          : [
              {
                label: `Install ${PRODUCT_NAME}`,
                icon: <MonitorDown />,
                run: () => void install().catch(showProblem),
              },
            ]),
        { kind: 'line' },
        {
          kind: 'choice',
          label: 'Colours',
          value: mode,
          options: MODES,
          set: (value) => isMode(value) && setColorMode(value),
        },
        { kind: 'line' },
        { label: 'Log out', icon: <LogOut />, run: askLogout },
      ]}
    />
  );
}
