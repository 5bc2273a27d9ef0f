/** What every component test starts from: the product’s styles, light mode, nothing remembered in the browser, no session. */
import { beforeEach } from 'vitest';
import './browser.css';

beforeEach(() => {
  document.documentElement.lang = 'en';
  document.documentElement.classList.remove('dark');
  localStorage.clear();
  sessionStorage.clear();
  for (const cookie of document.cookie.split('; '))
    document.cookie = `${cookie.split('=')[0]}=; Path=/; Max-Age=0`;
});
