// Names of the drafts of the capture sheet: one for typed text, one for text that was pasted or shared. A draft of the
// second kind also lists the shared texts in it.

/** The sheet's own draft of a person in a workspace. */
export function captureDraft(userId: string, workspaceId: string): string {
  return `capture/${userId}/${workspaceId}`;
}

/** A given text has a draft of its own and harms no other. */
export function givenDraft(plainKey: string): string {
  return `${plainKey}/given`;
}

/** The base of a given draft: the names of the shared texts that came into it. */
export function baseOfNames(names: readonly string[]): string {
  return names.join(' ');
}

export function sharedNames(base: string | null | undefined): readonly string[] {
  return base ? base.split(' ') : [];
}
