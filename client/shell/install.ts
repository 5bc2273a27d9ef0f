/**
 * Whether this browser can install the application, how, and when to offer it: the browser's own question where it has
 * one, the steps by hand on iPhones and iPads. Offered after a few saves, and not again for a while once put away.
 */
import { INSTALL_OFFER } from '#client/ui/timing.ts';
import { PRODUCT_NAME } from '#shared/constants.ts';
import { createStore } from '#client/shell/external-store.ts';
import { readSetting, writeSetting } from '#client/shell/local-setting.ts';
import { showToast } from '#client/shell/toasts.ts';

/** https://wicg.github.io/manifest-incubations/#beforeinstallpromptevent-interface; no library of types has it. */
interface InstallQuestion extends Event {
  prompt(): Promise<{ outcome: 'accepted' | 'dismissed' }>;
}

/**
 * question = the browser prompts; steps = people install it from the browser's menu; none = installed or not possible.
 */
type InstallWay = 'question' | 'steps' | 'none';

interface Offer {
  way: InstallWay;
  /** Whether the card is shown. */
  due: boolean;
}

/** Shown where the browser has no prompt. */
export const INSTALL_STEPS = 'Press Share in the browser’s bar, then Add to Home Screen.';
const SAVES = 'loci-saves';
const SNOOZED = 'loci-install-snoozed';

let question: InstallQuestion | undefined;

/** Whether this page runs as an installed application. */
export function isInstalled(): boolean {
  const onHomeScreen = 'standalone' in navigator && navigator.standalone === true;
  return onHomeScreen || matchMedia('(display-mode: standalone)').matches;
}

/** Only Safari on iPhones and iPads has this property; it installs from its menu and has no prompt. */
function needsSteps(): boolean {
  return 'standalone' in navigator;
}

function currentWay(): InstallWay {
  if (isInstalled()) return 'none';
  if (question) return 'question';
  return needsSteps() ? 'steps' : 'none';
}

function isDue(): boolean {
  const snoozed = Number(readSetting(SNOOZED) ?? 0);
  return (
    Number(readSetting(SAVES) ?? 0) >= INSTALL_OFFER.afterSaves &&
    Date.now() - snoozed > INSTALL_OFFER.snoozeMs
  );
}

/** Followed by the card and the menu. */
export const installOffer = createStore<Offer>({ way: 'none', due: false });

function look(): void {
  installOffer.set({ way: currentWay(), due: isDue() });
}

function isQuestion(event: Event): event is InstallQuestion {
  return 'prompt' in event && typeof event.prompt === 'function';
}

/** Subscribes to the browser's install events; call the result to stop. */
export function watchInstall(): () => void {
  const keep = (event: Event) => {
    if (!isQuestion(event)) return;
    // Its own bar would come at a moment that we do not choose.
    event.preventDefault();
    question = event;
    look();
  };
  const forget = () => {
    question = undefined;
    look();
  };
  addEventListener('beforeinstallprompt', keep);
  addEventListener('appinstalled', forget);
  look();
  return () => {
    removeEventListener('beforeinstallprompt', keep);
    removeEventListener('appinstalled', forget);
  };
}

/** Counts one more save on this device. */
export function countSave(): void {
  const saves = Number(readSetting(SAVES) ?? 0);
  if (saves >= INSTALL_OFFER.afterSaves) return;
  writeSetting(SAVES, String(saves + 1));
  look();
}

/** Not now: the card stays away for a month; the menu still has it. */
export function snoozeInstall(): void {
  writeSetting(SNOOZED, String(Date.now()));
  look();
}

/** Shows the browser's prompt or the steps. */
export async function install(): Promise<void> {
  if (!question) {
    showToast({ title: `To install ${PRODUCT_NAME}`, description: INSTALL_STEPS });
    return;
  }
  const asked = question;
  // A question can be put once; the browser brings a new one when it may be put again.
  question = undefined;
  const { outcome } = await asked.prompt();
  if (outcome === 'dismissed') snoozeInstall();
  else look();
}
