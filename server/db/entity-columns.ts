// The columns of an entity for a select: a field that is added to an entity is read wherever the entity is shown.
import { ENTITIES, type EntityKind, type Row } from '#shared/entities.ts';

type Column<K extends EntityKind> = keyof Row<K> & string;

/** Every column of the kind under the name of its table (`space.id`), without those that the answer leaves out. */
export function columnsOf<K extends EntityKind, O extends Column<K>>(
  kind: K,
  without: readonly O[],
): readonly `${K}.${Exclude<Column<K>, O>}`[] {
  const left: readonly string[] = without;
  const shown = Object.keys(ENTITIES[kind].row.shape).filter(
    (column): column is Exclude<Column<K>, O> => !left.includes(column),
  );
  return shown.map((column): `${K}.${Exclude<Column<K>, O>}` => `${kind}.${column}`);
}
