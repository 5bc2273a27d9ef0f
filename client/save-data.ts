const connection = (): Readonly<Record<string, unknown>> => {
  const navigation: object = globalThis.navigator;
  const told: unknown = 'connection' in navigation ? navigation.connection : undefined;
  return typeof told === 'object' && told !== null ? (told as Record<string, unknown>) : {};
};

/** True when the browser is set to save data. Not all browsers say so. */
export const shouldSaveData = (): boolean => connection()['saveData'] === true;

/** True also in a mobile network, where a megabyte may cost something. */
export const isDataScarce = (): boolean => shouldSaveData() || connection()['type'] === 'cellular';
