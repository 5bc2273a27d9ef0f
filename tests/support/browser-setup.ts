/** What every component test starts from: the product’s styles, light mode, nothing remembered in the browser, no session. */
import React from 'react';
import { flushSync } from 'react-dom';
import { beforeEach } from 'vitest';
import './browser.css';

/** Draws what `change` asks for, and runs its effects and what they ask for, before the test goes on. */
async function drawAtOnce(change: () => Promise<void>): Promise<void> {
  let changed: Promise<void> | undefined;
  flushSync(() => {
    changed = change();
  });
  await changed;
  // React works on what an effect asked for in a message of its own; this one comes after it.
  await new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener('message', resolve, { once: true });
    port1.start();
    port2.postMessage(undefined);
  });
}

// Only the development build of React brings what `render` of the tests asks for.
Object.assign(React, { act: drawAtOnce });

beforeEach(() => {
  document.documentElement.lang = 'en';
  document.documentElement.classList.remove('dark');
  localStorage.clear();
  sessionStorage.clear();
  for (const cookie of document.cookie.split('; '))
    document.cookie = `${cookie.split('=')[0]}=; Path=/; Max-Age=0`;
});
