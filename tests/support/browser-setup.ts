/** What every component test starts from: the product's styles, light mode, nothing remembered in the browser. */
import { beforeEach } from 'vitest';
import './browser.css';

beforeEach(() => {
  document.documentElement.lang = 'en';
  document.documentElement.classList.remove('dark');
  localStorage.clear();
  sessionStorage.clear();
});
