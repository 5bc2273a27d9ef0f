// Holds a paste outside of fields until the code that saves it has been fetched.

/** Whether the target is a text field or in a dialog. */
export function isEditable(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.closest('input, textarea, select, [role="dialog"]') !== null)
  );
}

/** Milliseconds after which a paste no longer counts; after a log-in it may be another person's. */
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

/** Returns the last recent paste and stops listening; the caller listens from here on. */
export function takeEarlyPaste(): DataTransfer | undefined {
  removeEventListener('paste', keep);
  const last = kept;
  kept = undefined;
  return last && performance.now() - last.at <= KEPT_MS ? last.data : undefined;
}
