/** True when the browser is set to save data. Not all browsers say so. */
export function shouldSaveData(): boolean {
  const navigation: object = globalThis.navigator;
  const connection: unknown = 'connection' in navigation ? navigation.connection : undefined;
  return (
    typeof connection === 'object' &&
    connection !== null &&
    'saveData' in connection &&
    connection.saveData === true
  );
}
