/** A page that the server refused, with a retry in a space. */
import { useState } from 'react';
import { Button } from '#client/ui/button.tsx';
import { ask, type Page, type State } from './messages.ts';
import { SpaceChoice, useOffered } from './space-choice.tsx';

interface RefusedPageProps {
  page: Page;
  seq: number;
  reason: string;
  onState: (answer: Promise<State>) => Promise<void>;
}

/** Who gave access to chosen spaces only has to name one of them. */
export function RefusedPage({ page, seq, reason, onState }: RefusedPageProps) {
  const offered = useOffered();
  const [spaceId, setSpaceId] = useState(page.spaceId);
  const [isDone, setDone] = useState(false);
  const again = async () => {
    setDone(true);
    await onState(ask('retry', { seq, choices: { spaceId } }));
  };
  if (isDone) return null;
  return (
    <div className="flex flex-col gap-3">
      <p className="line-clamp-2 font-medium">{page.title}</p>
      <p role="alert" className="text-danger">
        {reason}
      </p>
      <SpaceChoice offered={offered} value={spaceId} onChoose={setSpaceId} />
      <div className="flex justify-end gap-2">
        <Button
          variant="ghost"
          onClick={() => void onState(ask('discard', { seq })).then(() => setDone(true))}
        >
          Discard
        </Button>
        <Button variant="primary" onClick={() => void again()}>
          Save page
        </Button>
      </div>
    </div>
  );
}
