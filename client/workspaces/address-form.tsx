/**
 * The address of the workspace, which only its owner changes, online. The rules are checked while typing; the server checks
 * whether it is free.
 */
import { useState, type FormEvent } from 'react';
import { useNavigate } from 'react-router';
import { LIMITS } from '#shared/constants.ts';
import { SLUG_REDIRECT_DAYS } from '#shared/workspaces/limits.ts';
import { ERRORS } from '#shared/errors.ts';
import { pathTo } from '#shared/pages.ts';
import { workspaceSlug, type Workspace } from '#shared/workspaces/workspace.ts';
import { ApiProblem } from '#client/api/api-problem.ts';
import { api } from '#client/api/session-client.ts';
import { refreshPerson } from '#client/api/session.ts';
import { useIsOnline } from '#client/shell/online.ts';
import { showProblem } from '#client/shell/problem-toast.ts';
import { showToast } from '#client/shell/toasts.ts';
import { Button } from '#client/ui/button.tsx';
import { Field } from '#client/ui/field.tsx';
import { Input } from '#client/ui/input.tsx';

/** After the change the page opens at the new address. */
export function AddressForm({ workspace }: { workspace: Workspace }) {
  const navigate = useNavigate();
  const isOnline = useIsOnline();
  const [slug, setSlug] = useState(workspace.slug);
  const [refusal, setRefusal] = useState<string>();
  const [busy, setBusy] = useState(false);
  const parsed = workspaceSlug.safeParse(slug);
  const problem = refusal ?? (parsed.success ? undefined : parsed.error.issues[0]?.message);
  const changed = slug !== workspace.slug;
  const change = async () => {
    setBusy(true);
    try {
      const params = { workspaceId: workspace.id };
      const { result } = await api('workspace.update', { params, body: { slug } });
      await refreshPerson();
      await navigate(pathTo('settings', { workspace_slug: result.slug }), { replace: true });
      showToast({ title: 'Address changed', kind: 'success' });
    } catch (failure) {
      const isAboutTheSlug =
        failure instanceof ApiProblem &&
        (failure.status === ERRORS.conflict.status || failure.status === ERRORS.invalid.status);
      if (isAboutTheSlug) setRefusal(failure.error.detail.replace(/^slug: /, ''));
      else showProblem(failure);
    } finally {
      setBusy(false);
    }
  };
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (parsed.success && changed && !busy) void change();
  };
  return (
    <form onSubmit={handleSubmit} className="flex flex-col gap-4">
      <Field label="Address" error={changed ? problem : undefined} hint={`${location.host}/${slug}`}>
        <Input
          value={slug}
          maxLength={LIMITS.slugMax}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          onChange={(event) => {
            setRefusal(undefined);
            setSlug(event.target.value.trim());
          }}
        />
      </Field>
      <p className="text-xs text-ink-muted">
        {isOnline
          ? `Links to the present address lead to the new one for ${SLUG_REDIRECT_DAYS} days, and no other workspace can use it until then.`
          : 'You are offline. The address can be changed when you are online.'}
      </p>
      <div>
        <Button type="submit" disabled={!changed || !parsed.success || !isOnline} loading={busy}>
          Change address
        </Button>
      </div>
    </form>
  );
}
