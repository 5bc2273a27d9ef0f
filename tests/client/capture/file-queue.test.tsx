/** Files on their way to the server: in real tables, with two queues as two tabs of one person. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { newId } from '#shared/ids.ts';
import { ApiProblem } from '#client/api/api-problem.ts';
import { FileQueue } from '#client/capture/file-queue.ts';
import type { SentFile } from '#client/capture/file-upload.ts';
import { NoResponseError, type Sending } from '#client/capture/send-form.ts';
import type { StoredUpload } from '#client/replica/device-database.ts';
import { Device } from '#client/replica/lazy-device.ts';
import { reduceToUnsent } from '#client/replica/reduce-device.ts';
import { userKey } from '#client/replica/user-key.ts';
import { waitingFiles } from '#client/replica/waiting-files.ts';
import { waitFor } from '../../support/wait-for.ts';

type Send = (file: StoredUpload, sending: Sending) => Promise<SentFile>;

const WORKSPACE = newId('workspace');
const PLACE = { workspaceId: WORKSPACE, spaceId: null };
const ends: (() => Promise<void>)[] = [];

/** A tab of the person; its own connection to the same tables. */
function tabOf(
  userId: string,
  send: Send,
  { stored = true, giveUp }: { stored?: boolean; giveUp?: () => Promise<void> } = {},
) {
  const device = stored ? new Device(userId) : undefined;
  const unauthorized = vi.fn();
  const onSent = vi.fn();
  const queue = new FileQueue({
    device,
    token: () => 'token',
    send,
    onSent,
    onUnauthorized: unauthorized,
    ...(giveUp && { giveUp }),
  });
  ends.push(async () => {
    queue.close();
    await (await device?.tables())?.delete();
    device?.close();
  });
  return { queue, device, unauthorized, onSent };
}

const newFile = (name: string) => ({
  id: newId('memory'),
  file: new File([`bytes of ${name}`], name),
  title: name.replace(/\..*/, ''),
});

const sentAs = (_file: StoredUpload): SentFile => ({ memoryId: newId('memory'), isDuplicate: false });

/** A server that answers when it is told to. */
function slowServer() {
  const asked: string[] = [];
  let answer = () => undefined as void;
  const send: Send = (file, { signal }) => {
    asked.push(file.name);
    return new Promise((resolve, reject) => {
      answer = () => resolve(sentAs(file));
      signal.addEventListener('abort', () => reject(new NoResponseError('aborted')));
    });
  };
  return { asked, send, answer: () => answer() };
}

const states = () => waitingFiles.get().map(({ name, state }) => `${name} ${state}`);

afterEach(async () => {
  for (const end of ends.splice(0)) await end();
  vi.restoreAllMocks();
});

describe('the queue of files', () => {
  it('sends one file after the other, with what they become, and forgets those that arrived', async () => {
    const sent: StoredUpload[] = [];
    const { queue, device, onSent } = tabOf(newId('user'), async (file, { onProgress }) => {
      onProgress(0.5);
      sent.push(file);
      return sentAs(file);
    });
    await queue.start();
    const spaceId = newId('space');
    const [one, two] = [newFile('one.pdf'), newFile('two.png')];
    await queue.add([one, two], { workspaceId: WORKSPACE, spaceId });
    await waitFor(() => expect(onSent).toHaveBeenCalledTimes(2));
    expect(sent.map(({ id, fields }) => ({ id, fields }))).toEqual([
      { id: one.id, fields: { title: 'one', spaceId } },
      { id: two.id, fields: { title: 'two', spaceId } },
    ]);
    expect(await sent[0]?.blob.text()).toBe('bytes of one.pdf');
    expect(await (await device?.tables())?.upload.count()).toBe(0);
    await waitFor(() => expect(states()).toEqual([]));
  });

  it('sends each file once with two tabs open', async () => {
    const userId = newId('user');
    const server = slowServer();
    const first = tabOf(userId, server.send);
    await first.queue.start();
    await first.queue.add([newFile('one.pdf'), newFile('two.pdf')], PLACE);
    await waitFor(() => expect(server.asked).toEqual(['one.pdf']));
    const other = slowServer();
    const second = tabOf(userId, other.send);
    await second.queue.start();
    // The other tab knows both and sends none of them.
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(other.asked).toEqual([]);
    server.answer();
    await waitFor(() => expect(server.asked.length + other.asked.length).toBe(2));
    expect([...server.asked, ...other.asked]).toEqual(['one.pdf', 'two.pdf']);
    server.answer();
    other.answer();
    await waitFor(async () => expect(await (await second.device?.tables())?.upload.count()).toBe(0));
  });

  it('is sent on by another tab when the sending one closes', async () => {
    const userId = newId('user');
    const server = slowServer();
    const first = tabOf(userId, server.send);
    await first.queue.start();
    await first.queue.add([newFile('one.pdf')], PLACE);
    await waitFor(() => expect(server.asked).toEqual(['one.pdf']));
    const second = tabOf(userId, async (file) => sentAs(file));
    await second.queue.start();
    first.queue.close();
    await waitFor(() => expect(second.onSent).toHaveBeenCalledOnce());
  });

  it('waits through a lost network and continues by itself when it is back', async () => {
    let isUp = false;
    const { queue, onSent } = tabOf(newId('user'), async (file) => {
      if (!isUp) throw new NoResponseError('no network');
      return sentAs(file);
    });
    await queue.start();
    await queue.add([newFile('one.pdf')], PLACE);
    await waitFor(() => expect(states()).toEqual(['one.pdf waiting']));
    isUp = true;
    await waitFor(() => {
      globalThis.dispatchEvent(new Event('online'));
      expect(onSent).toHaveBeenCalledOnce();
    });
  });

  it('is taken up by the next page of the same person', async () => {
    const userId = newId('user');
    const before = tabOf(userId, () => Promise.reject(new NoResponseError('no network')));
    await before.queue.start();
    await before.queue.add([newFile('one.pdf')], PLACE);
    before.queue.close();
    const after = tabOf(userId, async (file) => sentAs(file));
    await after.queue.start();
    await waitFor(() => expect(after.onSent).toHaveBeenCalledOnce());
  });

  it('keeps a refused file with the reason, sends the others, and the refused one again when asked', async () => {
    let isFull = true;
    const { queue, onSent } = tabOf(newId('user'), async (file) => {
      if (isFull && file.name === 'big.pdf')
        throw new ApiProblem(413, {
          error: { message: 'm', detail: 'The workspace is full', code: 'too_large' },
        });
      return sentAs(file);
    });
    await queue.start();
    const big = newFile('big.pdf');
    await queue.add([big, newFile('small.pdf')], PLACE);
    await waitFor(() => expect(onSent).toHaveBeenCalledOnce());
    await waitFor(() => expect(states()).toEqual(['big.pdf refused']));
    expect(waitingFiles.get()[0]?.reason).toBe('The workspace is full');
    expect(await queue.find(big.id)?.blob.text()).toBe('bytes of big.pdf');
    isFull = false;
    await queue.retry(big.id);
    await waitFor(() => expect(onSent).toHaveBeenCalledTimes(2));
  });

  it('keeps a file that this device cannot send, sends the others, and that one again when asked', async () => {
    vi.spyOn(console, 'error').mockReturnValue();
    const send = vi.fn<Send>(async (file) => sentAs(file));
    send.mockRejectedValueOnce(new DOMException('The bytes are gone', 'NotFoundError'));
    const { queue, onSent } = tabOf(newId('user'), send);
    await queue.start();
    const lost = newFile('lost.pdf');
    await queue.add([lost, newFile('small.pdf')], PLACE);
    await waitFor(() => expect(onSent).toHaveBeenCalledOnce());
    await waitFor(() => expect(states()).toEqual(['lost.pdf refused']));
    await queue.retry(lost.id);
    await waitFor(() => expect(onSent).toHaveBeenCalledTimes(2));
  });

  it('tries again by itself after a refusal that passes', async () => {
    const send = vi.fn<Send>(async (file) => sentAs(file));
    send.mockRejectedValueOnce(new ApiProblem(503, {}));
    const { queue, onSent } = tabOf(newId('user'), send);
    await queue.start();
    await queue.add([newFile('one.pdf')], PLACE);
    await waitFor(() => {
      globalThis.dispatchEvent(new Event('online'));
      expect(onSent).toHaveBeenCalledOnce();
    });
    expect(send).toHaveBeenCalledTimes(2);
  });

  it('stops at the end of the session, and the file outlives it', async () => {
    const userId = newId('user');
    const { queue, device, unauthorized } = tabOf(userId, () => Promise.reject(new ApiProblem(401, {})));
    await queue.start();
    await queue.add([newFile('one.pdf')], PLACE);
    await waitFor(() => expect(unauthorized).toHaveBeenCalledWith('token'));
    queue.close();
    device?.close();
    expect(await reduceToUnsent(userKey(userId))).toBe(1);
    const next = tabOf(userId, async (file) => sentAs(file));
    await next.queue.start();
    await waitFor(() => expect(next.onSent).toHaveBeenCalledOnce());
    ends.shift();
  });

  it('sends from memory where nothing may be stored, and says so', async () => {
    const server = slowServer();
    const { queue, onSent } = tabOf(newId('user'), server.send, { stored: false });
    await queue.start();
    await queue.add([newFile('one.pdf')], PLACE);
    await waitFor(() => expect(states()).toEqual(['one.pdf sending']));
    expect(waitingFiles.get()[0]?.isStored).toBe(false);
    server.answer();
    await waitFor(() => expect(onSent).toHaveBeenCalledOnce());
  });

  it('forgets a file that is discarded before it was sent', async () => {
    const { queue, onSent } = tabOf(newId('user'), () => Promise.reject(new NoResponseError('no network')));
    await queue.start();
    const one = newFile('one.pdf');
    await queue.add([one], PLACE);
    await waitFor(() => expect(states()).toEqual(['one.pdf waiting']));
    await queue.discard(one.id);
    await waitFor(() => expect(states()).toEqual([]));
    expect(onSent).not.toHaveBeenCalled();
  });
});

describe('the part of a file that the server has', () => {
  it('is shown while the file waits, over a reload, and when it goes on', async () => {
    const userId = newId('user');
    const before = tabOf(userId, async (_file, { onProgress, onStored }) => {
      onProgress(0.5);
      await onStored?.(4);
      throw new NoResponseError('no network');
    });
    await before.queue.start();
    // 16 bytes.
    await before.queue.add([newFile('one.pdf')], PLACE);
    await waitFor(() => expect(waitingFiles.get()).toMatchObject([{ state: 'waiting', sent: 0.25 }]));
    before.queue.close();
    const shares: (number | undefined)[] = [];
    const after = tabOf(userId, async (file) => {
      shares.push(waitingFiles.get()[0]?.sent);
      return sentAs(file);
    });
    await after.queue.start();
    await waitFor(() => expect(after.onSent).toHaveBeenCalledOnce());
    expect(shares).toEqual([0.25]);
  });

  it('is given up with the file, and only then', async () => {
    const giveUp = vi.fn(async () => undefined);
    const { queue } = tabOf(
      newId('user'),
      async (_file, { onStored }) => {
        await onStored?.(4);
        throw new ApiProblem(415, {});
      },
      { giveUp },
    );
    await queue.start();
    const one = newFile('one.pdf');
    await queue.add([one], PLACE);
    await waitFor(() => expect(states()).toEqual(['one.pdf refused']));
    expect(giveUp).not.toHaveBeenCalled();
    await queue.discard(one.id);
    expect(giveUp).toHaveBeenCalledWith(expect.objectContaining({ id: one.id, received: 4 }), 'token');
    await waitFor(() => expect(states()).toEqual([]));
  });
});
