/**
 * Reads the screen that is shown into a snapshot: the same elements with the same looks, and the text of a field that is
 * being written in, so that what is typed on the snapshot continues it.
 */
import {
  isSnapshotValue,
  SNAPSHOT_ATTRIBUTES,
  SNAPSHOT_TAGS,
  type SnapshotNode,
} from '#client/start/snapshot-markup.ts';

/** A screen of more elements is not worth a snapshot. */
const MAX_ELEMENTS = 6_000;

function attributesOf(element: Element): Record<string, string> {
  const kept = [...element.attributes].filter(
    ({ name, value }) => SNAPSHOT_ATTRIBUTES.has(name) && isSnapshotValue(name, value),
  );
  const attributes = Object.fromEntries(kept.map(({ name, value }) => [name, value]));
  // Such a property is not written back to its attribute when it changes.
  if (element instanceof HTMLInputElement) {
    delete attributes['checked'];
    if (element.checked) attributes['checked'] = '';
  }
  return attributes;
}

/** Reads elements one after the other and counts them. */
class Reader {
  #count = 0;

  read(node: Node): SnapshotNode | undefined {
    if (node instanceof Text) return node.data;
    if (!(node instanceof Element) || !SNAPSHOT_TAGS.has(node.localName)) return undefined;
    this.#count += 1;
    if (this.#count > MAX_ELEMENTS) throw new RangeError('The screen has too many elements for a snapshot');
    return [node.localName, attributesOf(node), this.#childrenOf(node)];
  }

  #childrenOf(element: Element): SnapshotNode[] {
    if (element instanceof HTMLTextAreaElement) return [element.value];
    return element.hasAttribute('data-snapshot-frame') ? [] : this.readAll(element.childNodes);
  }

  readAll(nodes: Iterable<Node>): SnapshotNode[] {
    return [...nodes].map((node) => this.read(node)).filter((read) => read !== undefined);
  }
}

/** The elements as data. @throws RangeError when there are too many */
export function readSnapshot(elements: Iterable<Element>): SnapshotNode[] {
  return new Reader().readAll(elements);
}
