/**
 * The dashboard in a component test: the real layout and pages over a real replica whose server is in memory.
 * Sets up a signed-in person; what the tests put into the server is what the person sees.
 */
import { render } from 'vitest-browser-react';
import { createMemoryRouter, type RouteObject } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { COOKIES } from '#shared/constants.ts';
import type { Position } from '#shared/permissions.ts';
import { PERSON_SETTING } from '#client/api/session.ts';
import { DashboardFrame } from '#client/layouts/dashboard.tsx';
import { MemoriesPage } from '#client/memories/memories-page.tsx';
import { BodyCache } from '#client/replica/body-cache.ts';
import { MemorySearch } from '#client/replica/memory-search.ts';
import { adoptReplica, openedReplica } from '#client/replica/open-replica.ts';
import { createSearchClient, startSearchWorker } from '#client/search/search-client.ts';
import { closeOrganizing } from '#client/memories/organize-state.ts';
import type { Replica } from '#client/replica/replica.ts';
import type { CheckRhythm } from '#client/replica/worker/drift-check.ts';
import { ReplicaProvider } from '#client/replica/replica-context.tsx';
import { wipeDrafts } from '#client/shell/drafts.ts';
import { closeAllModals } from '#client/shell/modals.ts';
import { closeAllToasts } from '#client/shell/toasts.ts';
import { closePalette } from '#client/shell/palette-state.ts';
import { clearUndo } from '#client/shell/undo.ts';
import { Toaster } from '#client/shell/toaster.tsx';
import { replicaInProcess } from './engine-port.ts';
import { FakeSyncServer } from './fake-sync-server.ts';
import { memberRow, minute, USER, WORKSPACE } from './replica-rows.ts';

const SLUG = 'acme';

let before: Replica | undefined;

/** The stores of the shell and the replica in memory outlive a test: each begins with empty ones. */
async function sweep(): Promise<void> {
  closeAllModals();
  closeAllToasts();
  clearUndo();
  closeOrganizing();
  closePalette();
  await wipeDrafts();
  await openedReplica()?.search.close({ discard: true });
  await before?.wipe();
}

function signIn(isNew: boolean): void {
  document.cookie = `${COOKIES.session}=token; Path=/`;
  const created = minute(0);
  const user = {
    id: USER,
    source: 'email',
    githubId: null,
    googleId: null,
    forename: 'Ada',
    username: null,
    surname: 'Lovelace',
    email: 'ada@example.com',
    domain: 'example.com',
    personal: false,
    emailVerified: true,
    created,
    updated: created,
    checklistClosedAt: isNew ? null : created,
  };
  const workspaces = [{ id: WORKSPACE, slug: SLUG, name: 'Acme' }];
  localStorage.setItem(PERSON_SETTING, JSON.stringify({ user, workspaces, checkedAt: Date.now() }));
}

/** The search of the page with its real worker; nothing is stored. */
function searchOver(replica: Replica, searchReady: Promise<unknown>) {
  const bodies = new BodyCache(undefined);
  const start = () => {
    const client = createSearchClient(startSearchWorker(), (message) => {
      throw new Error(message);
    });
    return {
      ...client,
      open: async (name: string | undefined) => {
        await searchReady;
        return await client.open(name);
      },
    };
  };
  return { bodies, search: new MemorySearch({ replica, bodies, isStored: false, start }) };
}

/** Renders the dashboard at a path below the workspace; `fill` puts rows into the server first. */
export async function stageDashboard(
  fill: (server: FakeSyncServer, account: FakeSyncServer) => void,
  {
    path = '',
    position = 'owner',
    pages = [],
    searchReady = Promise.resolve(),
    check,
    isNew = false,
  }: {
    path?: string;
    /** Guests are no members of the workspace. */
    position?: Position | 'guest';
    pages?: RouteObject[];
    /** The search of the page reads no memory before this. */
    searchReady?: Promise<unknown>;
    /** How often the replica is compared with the server. */
    check?: CheckRhythm;
    /** The person still has the list of first steps. */
    isNew?: boolean;
  } = {},
) {
  await sweep();
  signIn(isNew);
  const server = new FakeSyncServer({ userId: USER, realmId: WORKSPACE });
  const created = minute(0);
  server.put('workspace', {
    id: WORKSPACE,
    ownerId: USER,
    createdBy: USER,
    lastEditedBy: USER,
    slug: SLUG,
    domain: null,
    name: 'Acme',
    description: null,
    allowPublicSharing: true,
    publicChat: false,
    created,
    updated: created,
    deletedAt: null,
  });
  if (position !== 'guest') server.put('workspace_member', memberRow({ position, surname: 'Lovelace' }));
  const account = new FakeSyncServer({ userId: USER, realmId: USER });
  fill(server, account);
  const replica = replicaInProcess({
    userId: USER,
    fetch: (input, init) => (new Request(input).url.includes(USER) ? account : server).fetch(input, init),
    ...(check ? { check } : {}),
  });
  before = replica;
  adoptReplica({ replica, device: undefined, ...searchOver(replica, searchReady) });
  const router = createMemoryRouter(
    [
      {
        path: '/:workspace_slug',
        element: (
          <ReplicaProvider replica={replica} workspaceId={WORKSPACE}>
            <DashboardFrame />
            <Toaster />
          </ReplicaProvider>
        ),
        children: [
          { index: true, Component: MemoriesPage },
          ...pages,
          { path: '*', element: <h1>Elsewhere</h1> },
        ],
      },
    ],
    { initialEntries: [`/${SLUG}${path}`] },
  );
  const screen = await render(<RouterProvider router={router} />);
  return { screen, server, account, replica, router };
}
