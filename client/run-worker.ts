/**
 * Sends one message to a worker and resolves to its reply. The worker ends with it.
 * @throws when it fails, or has not replied after `limitMs`
 */
export async function runWorker<T>(worker: Worker, message: object, limitMs: number): Promise<T> {
  const late = AbortSignal.timeout(limitMs);
  try {
    return await new Promise<T>((resolve, reject) => {
      worker.addEventListener('message', ({ data }: MessageEvent<T>) => resolve(data));
      worker.addEventListener('error', (event) => reject(new Error(event.message)));
      late.addEventListener('abort', () => reject(new Error('The worker has not replied in time')));
      worker.postMessage(message);
    });
  } finally {
    worker.terminate();
  }
}
