/** The live screen takes the place of its snapshot and goes on with what was begun there. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createRoot, type Root } from 'react-dom/client';
import { useState } from 'react';
import { watchScreen } from '#client/start/screen-ready.ts';
import { readSnapshot } from '#client/start/snapshot-tree.ts';
import { markupOf } from '#client/start/snapshot-markup.ts';
import { waitFor } from '../../support/wait-for.ts';

const opened = vi.fn<(name: string) => void>();

function Screen({ busy = false }: { busy?: boolean }) {
  const [text, setText] = useState('');
  if (busy) return <div aria-busy="true">Opening</div>;
  return (
    <div data-snapshot>
      <h1>Home</h1>
      <textarea aria-label="Save a memory" value={text} onChange={(event) => setText(event.target.value)} />
      <p id="typed">{text}</p>
      <button type="button" onClick={() => opened('search')}>
        Search
      </button>
      <ul data-collection>
        {['Pears', 'Plums'].map((name) => (
          <li key={name}>
            <a
              data-item={name}
              href={`/acme?memory=${name}`}
              onClick={(event) => {
                event.preventDefault();
                opened(name);
              }}
            >
              {name}
            </a>
          </li>
        ))}
      </ul>
      <label>
        <input type="radio" name="layout" checked onChange={() => undefined} /> List
      </label>
    </div>
  );
}

let root: Root;
let place: HTMLElement;
let snapshot: HTMLElement;

/** Draws the screen, takes its snapshot as the service worker would write it, and begins a new start under it. */
beforeEach(async () => {
  opened.mockClear();
  place = document.createElement('div');
  document.body.append(place);
  const before = createRoot(place);
  before.render(<Screen />);
  await waitFor(() => expect(place.querySelector('a')).not.toBeNull());
  const markup = markupOf(readSnapshot(place.querySelectorAll('[data-snapshot]')));
  before.unmount();
  snapshot = document.createElement('div');
  snapshot.innerHTML = markup;
  place.before(snapshot);
  root = createRoot(place);
});
afterEach(() => {
  root.unmount();
  place.remove();
  snapshot.remove();
});

const find = <E extends Element>(within: Element, selector: string): E => {
  const found = within.querySelector<E>(selector);
  if (!found) throw new Error(`No ${selector}`);
  return found;
};
const field = (within: Element) => find<HTMLTextAreaElement>(within, 'textarea');

async function draw(): Promise<void> {
  root.render(<Screen busy />);
  await waitFor(() => expect(place.querySelector('[aria-busy]')).not.toBeNull());
  expect(snapshot.isConnected).toBe(true);
  root.render(<Screen />);
  await waitFor(() => expect(snapshot.isConnected).toBe(false));
}

describe('a screen that becomes alive', () => {
  it('takes the place of its snapshot once nothing of it is on its way, before it is painted', async () => {
    const { ready } = watchScreen(place, snapshot);
    let painted = 0;
    const count = () => {
      // Never both in one frame, and never neither.
      const seen = Number(snapshot.isConnected) + place.querySelectorAll('h1').length;
      expect(seen).toBe(1);
      painted += 1;
      if (painted < 10) requestAnimationFrame(count);
    };
    requestAnimationFrame(count);
    await draw();
    await ready;
    await waitFor(() => expect(painted).toBe(10));
  });

  it('has what was typed on the snapshot, and its focus', async () => {
    watchScreen(place, snapshot);
    field(snapshot).focus();
    document.execCommand('insertText', false, 'Half a thought');
    expect(field(snapshot).value).toBe('Half a thought');
    await draw();
    expect(document.activeElement).toBe(field(place));
    await waitFor(() => expect(find(place, '#typed').textContent).toBe('Half a thought'));
  });

  it('opens what was pressed last', async () => {
    watchScreen(place, snapshot);
    find<HTMLElement>(snapshot, 'a[data-item="Pears"]').click();
    find<HTMLElement>(snapshot, 'a[data-item="Plums"]').click();
    expect(opened).not.toHaveBeenCalled();
    await draw();
    expect(opened.mock.calls).toEqual([['Plums']]);
  });

  it('does what the pressed button does', async () => {
    watchScreen(place, snapshot);
    find<HTMLElement>(snapshot, 'button').click();
    await draw();
    expect(opened.mock.calls).toEqual([['search']]);
  });

  it('leaves a link that is opened in a tab of its own to the browser', async () => {
    watchScreen(place, snapshot);
    const click = new MouseEvent('click', { ctrlKey: true, bubbles: true, cancelable: true });
    const other = vi.fn<(event: Event) => void>((event) => {
      expect(event.defaultPrevented).toBe(false);
      event.preventDefault();
    });
    document.addEventListener('click', other, { once: true });
    find(snapshot, 'a').dispatchEvent(click);
    expect(other).toHaveBeenCalledOnce();
    await draw();
    expect(opened).not.toHaveBeenCalled();
  });

  it('is not waited for by a person who uses the page', async () => {
    const { wanted } = watchScreen(place, snapshot);
    let isWanted = false;
    void wanted.then(() => (isWanted = true));
    await new Promise((resolve) => setTimeout(resolve));
    expect(isWanted).toBe(false);
    dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true }));
    await wanted;
    expect(snapshot.isConnected).toBe(true);
  });
});

describe('a snapshot', () => {
  it('has the state of fields, no ids and no names', () => {
    expect(find<HTMLInputElement>(snapshot, 'input').checked).toBe(true);
    expect(snapshot.querySelector('[id], [name]')).toBeNull();
    expect(snapshot.querySelectorAll('a:not([tabindex="-1"]), textarea:not([tabindex="-1"])')).toHaveLength(
      0,
    );
  });
});
