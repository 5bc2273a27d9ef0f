/** Starts the popup. It follows the colours of the system. */
import { createRoot } from 'react-dom/client';
import { PopupView } from './popup-view.tsx';

const dark = matchMedia('(prefers-color-scheme: dark)');
const color = () => document.documentElement.classList.toggle('dark', dark.matches);
dark.addEventListener('change', color);
color();

const root = document.querySelector('#root');
if (!root) throw new Error('The popup has no root');
createRoot(root).render(<PopupView />);
