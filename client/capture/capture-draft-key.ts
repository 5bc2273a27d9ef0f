// Names of the drafts of the capture sheet: one for typed text, one for text that was pasted or shared. A draft of the
// second kind also lists the shared texts in it.

/** The sheet's own draft of a person in a workspace. */
export function captureDraft(userId: string, workspaceId: string): string {
  return `capture/${userId}/${workspaceId}`;
}

/** Pasted or shared text has its own draft and leaves the typed one alone. */
export function givenDraft(plainKey: string): string {
  return `${plainKey}/given`;
}

/** The base of such a draft: the names of the shared texts in it. */
export function baseOfNames(names: readonly string[]): string {
  return names.join(' ');
}

export function sharedNames(base: string | null | undefined): readonly string[] {
  return base ? base.split(' ') : [];
}
