/**
 * `/imp?code=`: exchanges a one-time code of staff for a session that acts as another person, in the memory of this page alone,
 * and opens that person's workspace. An invalid code opens the log-in page.
 */
import { useEffect, useRef } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { AppError } from '#shared/errors.ts';
import { pathTo } from '#shared/pages.ts';
import { publicApi } from '#client/api/session-client.ts';
import { beginImpersonation, endImpersonation, refreshPerson } from '#client/api/session.ts';
import { showProblem } from '#client/shell/problem-toast.ts';
import { FormCard } from '#client/ui/form-card.tsx';

/** Returns the address to go to. */
async function enter(code: string): Promise<string> {
  if (code === '')
    throw new AppError('invalid', 'This link has no code. Open the account again from the staff page.');
  const { result } = await publicApi('impersonation.exchange', { body: { code } });
  const { token, user } = result;
  // Later calls read the token from here.
  beginImpersonation({ token, person: { user, workspaces: [], checkedAt: Date.now() } });
  const person = await refreshPerson();
  beginImpersonation({ token, person });
  const [first] = person.workspaces;
  return first === undefined
    ? pathTo('create_workspace', {})
    : pathTo('workspace_home', { workspace_slug: first.slug });
}

/** The page; it exchanges the code once, however often it is drawn. */
export function ImpersonatePage() {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const hasBegun = useRef(false);
  const code = params.get('code') ?? '';
  useEffect(() => {
    if (hasBegun.current) return;
    hasBegun.current = true;
    enter(code).then(
      (path) => navigate(path, { replace: true }),
      (failure: unknown) => {
        endImpersonation();
        showProblem(failure);
        return navigate(pathTo('login', {}), { replace: true });
      },
    );
  }, [code, navigate]);
  return (
    <FormCard title="Opening the account">
      <output className="block text-ink-muted">One moment.</output>
    </FormCard>
  );
}
