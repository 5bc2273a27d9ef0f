// The event of a change. Apart from the schemas, because the command line has none.

interface RowChange<Kind extends string> {
  kind: Kind;
  action: 'put' | 'delete';
  /** Undefined where it is not known. */
  isNew?: boolean | undefined;
}

export function eventOf<Kind extends string>({ kind, action, isNew }: RowChange<Kind>) {
  if (action === 'delete') return `${kind}.deleted` as const;
  return isNew === true ? (`${kind}.created` as const) : (`${kind}.updated` as const);
}
