/**
 * Ratings of answers by visitors: what the buttons of visitor-rating-card.tsx show and do. Fetched by pages that have an answer;
 * the form for reasons is loaded for those who want to give any.
 */
import { showToast } from '#client/shell/toasts.ts';
import { type Opinion, UNRATED } from '#client/threads/rating-opinion.ts';
import { askOpinions, sendOpinion, visitorOpinions } from '#client/threads/visitor-opinions.ts';

interface Rated {
  element: HTMLElement;
  messageId: string;
  workspaceId: string;
  threadId: string;
}

function ratedAround(button: Element): Rated | undefined {
  const element = button.closest<HTMLElement>('[data-rating]');
  const { rating = '', workspace = '', thread = '' } = element?.dataset ?? {};
  return element ? { element, messageId: rating, workspaceId: workspace, threadId: thread } : undefined;
}

const opinionOf = ({ messageId }: Rated): Opinion | undefined =>
  visitorOpinions.get().opinions.get(messageId);

const sending = new WeakSet<Element>();
const forms = new WeakMap<Element, () => void>();

function closeWhy({ element }: Rated): void {
  forms.get(element)?.();
  forms.delete(element);
  element.querySelector('[data-action="rate-why"]')?.setAttribute('aria-expanded', 'false');
}

function draw(rated: Rated): void {
  const opinion = opinionOf(rated);
  // Unknown is neither on nor off.
  const value = opinion?.value ?? (visitorOpinions.get().isAsked ? 0 : undefined);
  for (const button of rated.element.querySelectorAll<HTMLElement>('[data-action="rate"]')) {
    if (value === undefined) button.removeAttribute('aria-pressed');
    else button.setAttribute('aria-pressed', String(Number(button.dataset['value']) === value));
  }
  const why = rated.element.querySelector<HTMLElement>('[data-action="rate-why"]');
  if (!why) return;
  why.hidden = !value;
  why.textContent = opinion?.reason || opinion?.comment ? 'Edit reason' : 'Give a reason';
}

async function send(rated: Rated, opinion: Partial<Opinion>): Promise<boolean> {
  const { element, messageId, workspaceId, threadId } = rated;
  const buttons = element.querySelectorAll('[data-action="rate"]');
  sending.add(element);
  for (const button of buttons) button.setAttribute('aria-disabled', 'true');
  const isKept = await sendOpinion({ workspaceId, threadId }, messageId, opinion);
  for (const button of buttons) button.removeAttribute('aria-disabled');
  sending.delete(element);
  element.querySelector('[role="alert"]')?.replaceChildren(isKept ? '' : 'Not sent. Please try again.');
  return isKept;
}

/** A press on one of the two buttons; a second press takes the rating back. */
export async function rate(button: HTMLElement): Promise<void> {
  const rated = ratedAround(button);
  if (!rated || sending.has(rated.element)) return;
  closeWhy(rated);
  const choice = button.dataset['value'] === '1' ? 1 : -1;
  await send(rated, { value: opinionOf(rated)?.value === choice ? 0 : choice });
}

/** Opens the form for the reasons of a rating, or closes it. */
export async function toggleWhy(button: HTMLElement): Promise<void> {
  const rated = ratedAround(button);
  const place = rated?.element.querySelector('[data-why]');
  if (!rated || !place) return;
  if (forms.has(rated.element)) return closeWhy(rated);
  try {
    const { mountRatingWhy } = await import('#client/threads/rating-why-island.tsx');
    const unmount = await mountRatingWhy(place, {
      draftKey: `rating/visitor/${rated.messageId}`,
      opinion: opinionOf(rated) ?? UNRATED,
      onRate: (opinion) => send(rated, opinion),
      close: () => {
        closeWhy(rated);
        button.focus();
      },
    });
    forms.set(rated.element, unmount);
    button.setAttribute('aria-expanded', 'true');
  } catch (error) {
    console.warn('The form was not loaded', error);
    showToast({
      kind: 'error',
      title: 'The form could not be loaded',
      description: 'Please try again',
    });
  }
}

/** Shows what this visitor said earlier, and follows what is said now. */
export function watchRatings(): void {
  const all = [...document.querySelectorAll('[data-rating]')].flatMap(
    (element) => ratedAround(element) ?? [],
  );
  const [first] = all;
  if (!first) return;
  visitorOpinions.subscribe(() => all.forEach(draw));
  void askOpinions(first);
}
