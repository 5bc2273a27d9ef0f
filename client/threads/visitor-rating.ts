/** Ratings of answers by visitors: state and actions of visitor-rating-card.tsx. Fetched by pages that have an answer. */
import { RATING_REASONS } from '#shared/threads/rating-reasons.ts';
import { sendOnce } from '#client/shell/busy-form.ts';
import { keepTyped } from '#client/shell/typed-fields.ts';
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

const toggleOf = ({ element }: Rated) => element.querySelector<HTMLElement>('[data-action="rate-why"]');

function closeWhy(rated: Rated): void {
  rated.element.querySelector('form')?.remove();
  toggleOf(rated)?.setAttribute('aria-expanded', 'false');
}

function draw(rated: Rated): void {
  const opinion = opinionOf(rated);
  // Unknown is neither on nor off.
  const value = opinion?.value ?? (visitorOpinions.get().isAsked ? 0 : undefined);
  for (const button of rated.element.querySelectorAll<HTMLElement>('[data-action="rate"]')) {
    if (value === undefined) button.removeAttribute('aria-pressed');
    else button.setAttribute('aria-pressed', String(Number(button.dataset['value']) === value));
  }
  const why = toggleOf(rated);
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

/** A press on one of the two buttons; a second press removes the rating. */
export async function rate(button: HTMLElement): Promise<void> {
  const rated = ratedAround(button);
  if (!rated || sending.has(rated.element)) return;
  closeWhy(rated);
  const choice = button.dataset['value'] === '1' ? 1 : -1;
  await send(rated, { value: opinionOf(rated)?.value === choice ? 0 : choice });
}

function createForm(rated: Rated): HTMLFormElement {
  const template = document.querySelector<HTMLTemplateElement>('template#rating-form');
  const form = template?.content.cloneNode(true).firstChild;
  if (!(form instanceof HTMLFormElement)) throw new Error('The page has no form for the reason of a rating');
  const { reason, comment } = opinionOf(rated) ?? UNRATED;
  for (const [name, value] of Object.entries({ reason, comment })) {
    const field = form.elements.namedItem(name);
    if (field instanceof HTMLSelectElement || field instanceof HTMLTextAreaElement) field.value = value ?? '';
  }
  keepTyped(form, `loci-rating-${rated.messageId}`);
  return form;
}

async function sendReason(rated: Rated, form: HTMLFormElement): Promise<void> {
  if (sending.has(rated.element)) return;
  const words = new FormData(form);
  const reason = RATING_REASONS.find((value) => value === words.get('reason')) ?? null;
  const typed = words.get('comment');
  const comment = (typeof typed === 'string' && typed.trim()) || null;
  const opinion = { ...(opinionOf(rated) ?? UNRATED), reason, comment };
  const isKept = await sendOnce(form, () => send(rated, opinion));
  if (!isKept) return;
  form.reset();
  closeWhy(rated);
  toggleOf(rated)?.focus();
}

/** Opens the form for the reason of a rating, or closes it. */
export function toggleWhy(button: HTMLElement): void {
  const rated = ratedAround(button);
  const place = rated?.element.querySelector('[data-why]');
  if (!rated || !place) return;
  if (place.hasChildNodes()) return closeWhy(rated);
  const form = createForm(rated);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void sendReason(rated, form);
  });
  place.append(form);
  button.setAttribute('aria-expanded', 'true');
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
