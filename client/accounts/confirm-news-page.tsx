/**
 * `/_news#confirm=…`: the page that the link of the newsletter confirmation mail opens. Nothing changes until the button is
 * pressed, because programs that scan mail open links too. Works without a session.
 */
import { useState } from 'react';
import { useLocation } from 'react-router';
import { PRODUCT_NAME } from '#shared/constants.ts';
import { publicApi } from '#client/api/session-client.ts';
import { ApiProblem } from '#client/api/api-problem.ts';
import { Button } from '#client/ui/button.tsx';
import { FormCard } from '#client/ui/form-card.tsx';
import { FormProblem } from '#client/ui/form-problem.tsx';

export function ConfirmNewsPage() {
  const { hash } = useLocation();
  const token = new URLSearchParams(hash.slice(1)).get('confirm') ?? '';
  const [state, setState] = useState<'asking' | 'busy' | 'done'>('asking');
  const [problem, setProblem] = useState<string>();
  const confirm = async () => {
    setState('busy');
    setProblem(undefined);
    try {
      await publicApi('newsletter.confirm', { body: { token } });
      setState('done');
    } catch (failure) {
      console.info('news: the confirmation was refused', failure);
      const isOver = failure instanceof ApiProblem && failure.status === 400;
      setProblem(isOver ? 'This link is not valid or has expired.' : 'Could not confirm. Try again.');
      setState('asking');
    }
  };
  if (state === 'done') {
    return <FormCard title="Confirmed" lead={`You will get product updates of ${PRODUCT_NAME}.`} />;
  }
  return (
    <FormCard title="Product updates" lead={`Do you want product updates of ${PRODUCT_NAME} by mail?`}>
      <div className="flex flex-col gap-3">
        <FormProblem text={problem} />
        <Button variant="primary" size="lg" block loading={state === 'busy'} onClick={() => void confirm()}>
          Confirm
        </Button>
      </div>
    </FormCard>
  );
}
