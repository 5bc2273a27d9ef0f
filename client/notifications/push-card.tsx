/** Push messages to this browser, and the other browsers of the person that receive them. */
import { useState } from 'react';
import { deviceName } from '#shared/accounts/device-name.ts';
import { PRODUCT_NAME } from '#shared/constants.ts';
import { api } from '#client/api/session-client.ts';
import {
  readPush,
  turnPushOff,
  turnPushOn,
  type PushFacts,
  type PushState,
} from '#client/notifications/push-subscription.ts';
import { LoadedList } from '#client/shell/loaded-list.tsx';
import { perform } from '#client/shell/perform.ts';
import { showToast } from '#client/shell/toasts.ts';
import { useLoaded } from '#client/shell/use-loaded.ts';
import { useBusy } from '#client/shell/use-busy.ts';
import { Button } from '#client/ui/button.tsx';
import { RelativeTime } from '#client/ui/relative-time.tsx';

const WORDS: Readonly<Record<PushState, string>> = {
  unsupported: 'This browser cannot receive push messages.',
  install: `Add ${PRODUCT_NAME} to the home screen to receive push messages on this device.`,
  denied: 'This browser blocks notifications. Allow them in its settings for this site.',
  off: 'Push messages are off in this browser.',
  on: 'Push messages are on in this browser.',
};

function OwnBrowser({ facts, onChange }: { facts: PushFacts; onChange: () => Promise<void> }) {
  const { busy, run } = useBusy();
  const [state, setState] = useState(facts.state);
  const turn = (change: () => Promise<PushState>) =>
    run(async () => {
      const next = await change();
      setState(next);
      if (next === 'on') showToast({ kind: 'success', title: 'Push messages turned on' });
      await onChange();
    });
  const turnOff = async (): Promise<PushState> => {
    await turnPushOff(facts.id);
    return 'off';
  };
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <output className="min-w-0 flex-1 basis-60">{WORDS[state]}</output>
      {state === 'off' && (
        <Button loading={busy} onClick={() => void turn(turnPushOn)}>
          Turn on push messages
        </Button>
      )}
      {state === 'on' && (
        <Button loading={busy} onClick={() => void turn(turnOff)}>
          Turn off push messages
        </Button>
      )}
    </div>
  );
}

function OtherBrowsers({ others, onChange }: { others: PushFacts['others']; onChange: () => Promise<void> }) {
  if (others.length === 0) return null;
  const end = async (id: PushFacts['others'][number]['id']) => {
    await perform(() => api('push.unsubscribe', { params: { id } }));
    await onChange();
  };
  return (
    <ul aria-label="Other browsers with push messages" className="divide-y divide-line/60">
      {others.map(({ id, userAgent, created }) => (
        <li key={id} className="flex items-center gap-3 py-2.5">
          <span className="min-w-0 flex-1">
            <span className="block truncate">{deviceName(userAgent)}</span>
            <span className="block text-xs text-ink-muted">
              Since <RelativeTime at={created} />
            </span>
          </span>
          <Button
            size="sm"
            aria-label={`Turn off push messages in ${deviceName(userAgent)}`}
            onClick={() => void end(id)}
          >
            Turn off
          </Button>
        </li>
      ))}
    </ul>
  );
}

const USUAL: PushFacts = { state: 'off', id: undefined, others: [] };

/** Read at every visit. */
export function PushCard() {
  const { known, load } = useLoaded(readPush);
  return (
    <LoadedList known={known} what="your push messages" usual={USUAL} onRetry={() => void load()}>
      {(facts) => (
        <>
          <OwnBrowser key={facts.state} facts={facts} onChange={load} />
          <OtherBrowsers others={facts.others} onChange={load} />
        </>
      )}
    </LoadedList>
  );
}
