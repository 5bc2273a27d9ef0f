// What is pasted outside of fields before the code that saves it has been fetched: it is kept until that code asks for it.

/** Whether the place takes text itself. */
export function isEditable(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.closest('input, textarea, select, [role="dialog"]') !== null)
  );
}

/** What was pasted longer ago, before a log-in for one, is no longer what the person has in mind, and may be another person's. */
const KEPT_MS = 10_000;

let kept: { data: DataTransfer; at: number } | undefined;

/** The data of an event can be read only while the event is under way. */
function copyOf(data: DataTransfer): DataTransfer {
  const copy = new DataTransfer();
  for (const type of data.types) if (type !== 'Files') copy.setData(type, data.getData(type));
  for (const file of data.files) copy.items.add(file);
  return copy;
}

function keep({ target, clipboardData }: ClipboardEvent): void {
  if (!isEditable(target) && clipboardData) kept = { data: copyOf(clipboardData), at: performance.now() };
}

/** Listens until `takeEarlyPaste`. */
export function keepEarlyPaste(): void {
  addEventListener('paste', keep);
}

/** What was pasted last, a moment ago; from here on the caller listens. */
export function takeEarlyPaste(): DataTransfer | undefined {
  removeEventListener('paste', keep);
  const last = kept;
  kept = undefined;
  return last && performance.now() - last.at <= KEPT_MS ? last.data : undefined;
}
