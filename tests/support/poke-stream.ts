/** Reads a stream of pokes as a device does. */
import { poke as pokeSchema } from '#shared/sync/protocol.ts';

/** The versions of a realm in the order in which they come; the array grows until the signal aborts or the stream ends. */
export function followPokes(
  url: string,
  { token, realmId, signal }: { token: string; realmId: string; signal: AbortSignal },
): number[] {
  const heard: number[] = [];
  const read = async () => {
    const response = await fetch(`${url}/v1/sync/poke`, {
      headers: { authorization: `Bearer ${token}` },
      signal,
    });
    let text = '';
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk;
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks.filter((one) => one.startsWith('data: '))) {
        const { realm, v } = pokeSchema.parse(JSON.parse(block.slice(6)));
        if (realm === realmId) heard.push(v);
      }
    }
  };
  // A test that waits for a version sees that the stream has ended.
  read().catch(() => undefined);
  return heard;
}
