/** Saves waiting on the device to be sent, and those that the server rejected. */
import { Button } from '#client/ui/button.tsx';
import { ask, type ShownWaiting, type State } from './messages.ts';

interface WaitingListProps {
  state: State;
  onState: (answer: Promise<State>) => Promise<void>;
}

/** Renders nothing while nothing waits. */
export function WaitingList({ state, onState }: WaitingListProps) {
  if (state.waiting.length === 0) return null;
  const words = state.waiting.length === 1 ? 'One page waits' : `${state.waiting.length} pages wait`;
  return (
    <section aria-label="Waiting" className="flex flex-col gap-2 border-t border-line pt-3">
      <h2 className="font-medium">
        {words} {state.account?.isConnected ? 'for a connection' : 'until you sign in'}
      </h2>
      <ul className="flex max-h-40 flex-col gap-2 overflow-y-auto">
        {state.waiting.map((each) => (
          <WaitingLine key={each.seq} waiting={each} onState={onState} />
        ))}
      </ul>
    </section>
  );
}

interface WaitingLineProps extends Pick<WaitingListProps, 'onState'> {
  waiting: ShownWaiting;
}

function WaitingLine({ waiting: { seq, kind, title, problem }, onState }: WaitingLineProps) {
  return (
    <li className="flex flex-col gap-1">
      <span className="truncate">{kind === 'change' ? `Changes of “${title}”` : title}</span>
      {problem !== null && (
        <span className="flex flex-wrap items-center justify-between gap-2">
          <span className="text-xs text-danger">{problem}</span>
          <span className="flex gap-1">
            <Button
              size="sm"
              aria-label={`Try ${title} again`}
              onClick={() => void onState(ask('retry', { seq }))}
            >
              Try again
            </Button>
            <Button
              size="sm"
              variant="ghost"
              aria-label={`Discard ${title}`}
              onClick={() => void onState(ask('discard', { seq }))}
            >
              Discard
            </Button>
          </span>
        </span>
      )}
    </li>
  );
}
