/**
 * `/{workspace}/threads/p/{thread}`: a public thread as visitors see it, rendered on the server. A live view: what is
 * written later appears while the page is open, and an answer while it is written (follow-public-thread.ts).
 */
import { publicCitationPath } from '#shared/citation-path.ts';
import { pathTo } from '#shared/pages.ts';
import { CONVERSATION_HOURS } from '#shared/threads/visitor-conversation.ts';
import type { PublicThread } from '#shared/threads/public-thread.ts';
import { Report, ReportLink } from '#client/spaces/report-card.tsx';
import type { DrawnMessage, PublicThreadData } from '#client/threads/public-thread-data.ts';
import { QuestionForm } from '#client/threads/question-form-card.tsx';
import { RatingForm, VisitorRating } from '#client/threads/visitor-rating-card.tsx';
import { PlaceName } from '#client/workspaces/place-name-card.tsx';
import { buttonStyle } from '#client/ui/button-style.ts';
import { SiteIcon } from '#client/shell/site-icon.tsx';
import { PageLinks } from '#client/shell/page-links.tsx';
import { PublicText } from '#client/ui/public-text.tsx';
import { RelativeTime } from '#client/ui/relative-time.tsx';

function Head({ thread }: { thread: PublicThread }) {
  const { name, summary, workspace, author, askedIn, created } = thread;
  return (
    <div className="border-b border-line pt-10 pb-8 wrap-anywhere sm:pt-14">
      <h1 className="font-serif text-title">{name}</h1>
      {summary && <p className="mt-3 text-base text-ink-muted">{summary}</p>}
      <p className="mt-4 flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-ink-muted">
        <PlaceName workspace={workspace} listed={thread.visibility === 'public'} />
        {askedIn !== null && (
          <>
            <span aria-hidden="true">·</span>
            <span>
              asked in{' '}
              <a
                href={`${pathTo('public_space', { workspace_slug: workspace.slug, space_slug: askedIn.slug })}#ask`}
                className="inline-flex min-h-6 items-center font-medium text-ink hover:text-primary hover:underline"
              >
                {askedIn.name}
              </a>
            </span>
          </>
        )}
        {author !== null && (
          <>
            <span aria-hidden="true">·</span>
            <span>by {author}</span>
          </>
        )}
        <span aria-hidden="true">·</span>
        <RelativeTime at={created} className="min-w-28" />
      </p>
    </div>
  );
}

function Sources({ message, thread }: { message: DrawnMessage; thread: PublicThread }) {
  return (
    <div className="prose mt-3 max-w-none text-sm">
      <ol aria-label="Sources">
        {message.citations.map((source) => {
          const path = publicCitationPath(thread.workspace.slug, source);
          return (
            <li key={source.number} value={source.number}>
              {path === null ? source.title : <a href={path}>{source.title}</a>}
            </li>
          );
        })}
      </ol>
    </div>
  );
}

function askerOf({ author, askedIn }: PublicThread): string {
  return author ?? (askedIn === null ? 'Author' : 'Visitor');
}

function Message({ message, thread }: { message: DrawnMessage; thread: PublicThread }) {
  const isAssistant = message.role === 'assistant';
  return (
    <li id={message.id} className="scroll-mt-20 py-6">
      <article>
        <h2 className="flex items-baseline gap-2 text-sm">
          <span className="font-semibold">{isAssistant ? 'Answer' : askerOf(thread)}</span>
          <RelativeTime at={message.createdAt} className="text-xs font-normal text-ink-muted" />
        </h2>
        <div className="mt-2">
          <PublicText body={message.body} below={2} />
        </div>
        {message.citations.length > 0 && <Sources message={message} thread={thread} />}
        {isAssistant && (
          <div className="-ms-3 mt-2">
            <VisitorRating workspaceId={thread.workspaceId} threadId={thread.id} messageId={message.id} />
          </div>
        )}
      </article>
    </li>
  );
}

/** Where an answer appears while it is written. */
function DraftPlace() {
  return (
    <>
      <article
        data-draft
        hidden
        aria-busy="true"
        aria-label="Answer being written"
        className="border-t border-line py-6"
      >
        <h2 className="flex items-baseline gap-2 text-sm">
          <span className="font-semibold">Answer</span>
          <span className="text-xs font-normal text-ink-muted">being written…</span>
        </h2>
        <p data-text className="mt-2 text-base wrap-anywhere whitespace-pre-wrap" />
      </article>
      <output data-news className="sr-only" />
    </>
  );
}

/** Shown by visitor-questions.ts to the visitor who began the thread; without script no page has its key. */
function AskOn({ thread: { id, workspaceId } }: { thread: PublicThread }) {
  return (
    <section data-ask-on hidden aria-label="Ask a follow-up question" className="mt-8">
      <QuestionForm
        label="Ask a follow-up question"
        hint={`You can ask on in this tab for ${CONVERSATION_HOURS} hours after your first question.`}
        place={{ workspaceId, threadId: id }}
      />
    </section>
  );
}

/** Data for the script that follows the thread; `awaits` is the time of a question without an answer. */
function followedOf({ thread: { id, workspaceId }, messages }: PublicThreadData): string {
  const last = messages.at(-1);
  return JSON.stringify({
    path: `/v1/public/threads/${workspaceId}/${id}/follow`,
    awaits: last?.role === 'user' ? last.createdAt : null,
  });
}

export function PublicThreadPage({ data }: { data: PublicThreadData }) {
  const { thread, messages, page, hasNext } = data;
  const address = pathTo('public_thread', { workspace_slug: thread.workspace.slug, thread_id: thread.id });
  const { id, workspaceId } = thread;
  return (
    <div className="mx-auto w-full max-w-3xl px-4 pb-20 sm:px-6">
      <Head thread={thread} />
      <div data-follow={thread.frozen || hasNext ? undefined : followedOf(data)}>
        <div data-messages>
          {messages.length > 0 ? (
            <ol aria-label="Messages" className="divide-y divide-line">
              {messages.map((message) => (
                <Message key={message.id} message={message} thread={thread} />
              ))}
            </ol>
          ) : (
            <p className="py-10 text-ink-muted">Nothing has been written here yet.</p>
          )}
        </div>
        <DraftPlace />
        <div data-links>
          <PageLinks
            page={page}
            hasNext={hasNext}
            hrefOf={(number) => (number === 1 ? address : `${address}?page=${number}`)}
          />
        </div>
      </div>
      {thread.takesQuestions && !hasNext && <AskOn thread={thread} />}
      <div className="mt-8 border-t border-line pt-6">
        <div className="flex flex-wrap items-center gap-2">
          {thread.visibility === 'public' && (
            <a href={`${address}/feed.xml`} className={buttonStyle({ size: 'lg' })}>
              <SiteIcon name="rss" />
              Feed
            </a>
          )}
          <a href={`${address}.md`} className={buttonStyle({ size: 'lg' })}>
            As text
          </a>
          <ReportLink subject={{ kind: 'thread', id, workspaceId }} />
        </div>
        <Report kind="thread" />
        <RatingForm />
      </div>
    </div>
  );
}
