/** A file that cannot be read, with the reason as it is shown to the person. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';
}
