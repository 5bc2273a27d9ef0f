// Names of the drafts of the capture sheet: what is typed, and what was given to it by pasting or sharing.

/** The sheet's own draft of a person in a workspace. */
export function captureDraft(userId: string, workspaceId: string): string {
  return `capture/${userId}/${workspaceId}`;
}

/** A given text has a draft of its own and harms no other. */
export function givenDraft(plainKey: string): string {
  return `${plainKey}/given`;
}
