/**
 * `/_unsubscribe/{token}`: where the link in a mail leads. Nothing changes until the button is pressed, because programs
 * that scan mail open links too. Works without a session.
 */
import { useState } from 'react';
import { useParams } from 'react-router';
import { PRODUCT_NAME } from '#shared/constants.ts';
import { pathTo } from '#shared/pages.ts';
import { publicApi } from '#client/api/session-client.ts';
import { ApiProblem } from '#client/api/api-problem.ts';
import { Button } from '#client/ui/button.tsx';
import { FormCard } from '#client/ui/form-card.tsx';
import { FormProblem } from '#client/ui/form-problem.tsx';
import { LinkButton } from '#client/ui/link-button.tsx';

/** The first part of the token, in the words of the settings. */
const WHAT: Readonly<Record<string, string>> = {
  workspace: 'e-mails about your workspaces',
  billing: 'e-mails about limits',
  internal: `e-mails about ${PRODUCT_NAME} itself`,
  digest: 'digests and all other e-mails but those about security',
  updates: 'product updates',
};

export function UnsubscribePage() {
  const { token = '' } = useParams();
  const [state, setState] = useState<'asking' | 'busy' | 'done' | 'over'>('asking');
  const [problem, setProblem] = useState<string>();
  const [category = ''] = token.split('.');
  const what = WHAT[category] ?? 'these e-mails';
  // The address of the newsletter need not have an account.
  const hasSettings = category !== 'updates';
  const turnOff = async () => {
    setState('busy');
    setProblem(undefined);
    try {
      await publicApi('public_notification.unsubscribe', { params: { token } });
      setState('done');
    } catch (failure) {
      console.info('unsubscribe: refused', failure);
      const isOver = failure instanceof ApiProblem && failure.status === 404;
      if (!isOver) setProblem('Could not turn the e-mails off. Try again.');
      setState(isOver ? 'over' : 'asking');
    }
  };
  if (state === 'over') {
    return (
      <FormCard title="This link no longer works">
        <div className="flex flex-col gap-4">
          <output className="block">
            It is not valid or has expired.{' '}
            {hasSettings
              ? 'Log in and turn e-mails off in your settings, under Notifications.'
              : 'Use the link in the newest mail.'}
          </output>
          {hasSettings && <LinkButton to={pathTo('login', {})}>Log in</LinkButton>}
        </div>
      </FormCard>
    );
  }
  if (state === 'done') {
    return (
      <FormCard title="E-mails turned off">
        <output className="block">
          You no longer get {what}.{' '}
          {hasSettings
            ? `Notifications still appear in ${PRODUCT_NAME}, where you can turn e-mails on again: Settings, Notifications.`
            : 'To get them again, ask for them on the site.'}
        </output>
      </FormCard>
    );
  }
  return (
    <FormCard title="Turn e-mails off?" lead={`You will no longer get ${what} from ${PRODUCT_NAME}.`}>
      <div className="flex flex-col gap-4">
        <FormProblem text={problem} />
        <Button variant="primary" size="lg" block loading={state === 'busy'} onClick={() => void turnOff()}>
          Turn e-mails off
        </Button>
      </div>
    </FormCard>
  );
}
