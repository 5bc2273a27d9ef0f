/**
 * Copies a public space into a workspace of the signed-in visitor: asks for the workspace, then copies. Needs the network; the
 * copy then arrives in the workspace like any other change.
 */
import { COOKIES } from '#shared/constants.ts';
import type { Space } from '#shared/spaces/space.ts';
import type { Workspace } from '#shared/workspaces/workspace.ts';
import { dropCookie, readCookie } from '#client/api/cookies.ts';
import { fetchSigned, problemIn } from '#client/call-api.ts';
import { sendOnce } from '#client/shell/busy-form.ts';
import { openDialog } from '#client/shell/native-dialog.ts';
import { showToast } from '#client/shell/toasts.ts';
import { formatCount, countMemories } from '#shared/english.ts';

type Place = Pick<Workspace, 'id' | 'name' | 'slug'>;

/** The copy; pages that the workspace had are shown in it and not copied again. */
interface Copy extends Pick<Space, 'slug'> {
  copied: number;
  linked: number;
}

function outcomeOf({ copied, linked }: Copy): string {
  const made = `${countMemories(copied)} copied.`;
  if (linked === 0) return made;
  return linked === 1
    ? `${made} 1 was here already and is in the space too.`
    : `${made} ${formatCount(linked)} were here already and are in the space too.`;
}

/** An expired session opens the link, which leads through sign-up or log-in and back. */
async function showFailure(failure: unknown, link: HTMLAnchorElement): Promise<void> {
  if (failure instanceof Response && failure.status === 401) {
    dropCookie(COOKIES.session);
    location.assign(link.href);
    return;
  }
  showToast({ kind: 'error', title: 'The space was not saved', description: await problemIn(failure) });
}

function fill(form: HTMLFormElement, places: readonly Place[]): void {
  const select = form.querySelector('select');
  const button = form.querySelector<HTMLButtonElement>('[type="submit"]');
  if (!select || !button) throw new Error('The form of the copy is not complete');
  select.replaceChildren(...places.map(({ id, name, slug }) => new Option(`${name} (/${slug})`, id)));
  form.querySelector('[data-choice]')?.toggleAttribute('hidden', places.length < 2);
  form.querySelector('[data-none]')?.toggleAttribute('hidden', places.length > 0);
  button.disabled = places.length === 0;
  const nameChosen = () => {
    const place = places.find(({ id }) => id === select.value);
    if (place) button.textContent = `Save to ${place.name}`;
  };
  select.addEventListener('change', nameChosen);
  nameChosen();
}

async function save(form: HTMLFormElement, place: Place, link: HTMLAnchorElement): Promise<void> {
  try {
    const body = { workspaceId: place.id, spaceId: link.dataset['space'] };
    const token = readCookie(COOKIES.session) ?? '';
    const copy = await fetchSigned<Copy>(token, 'POST', '/v1/spaces/clone', body);
    form.closest('dialog')?.close();
    showToast({
      kind: 'success',
      title: `Saved to ${place.name}`,
      description: outcomeOf(copy),
      actions: [{ label: 'Open', run: () => location.assign(`/${place.slug}/spaces/${copy.slug}`) }],
    });
  } catch (failure) {
    await showFailure(failure, link);
  }
}

let places: readonly Place[] | undefined;

/** Opens the form; the workspaces are requested once. */
export async function openSaveSpace(link: HTMLAnchorElement): Promise<void> {
  const dialog = openDialog('save-space');
  const form = dialog.querySelector('form');
  if (!form || places) return;
  try {
    const token = readCookie(COOKIES.session) ?? '';
    const found = await fetchSigned<Place[]>(token, 'GET', '/v1/workspaces?perPage=100');
    if (places) return;
    places = found;
    fill(form, found);
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      const place = found.find(({ id }) => id === new FormData(form).get('workspace'));
      if (place) void sendOnce(form, () => save(form, place, link));
    });
  } catch (failure) {
    dialog.close();
    await showFailure(failure, link);
  }
}
