/**
 * Answers from this device for questions of this person that wait for the server: offline at once, online when the server takes
 * long. They stay until the server has answered, also after reloads, and only while this person can read every memory that they
 * quote.
 */
import { useEffect, useRef, useState } from 'react';
import type { Id } from '#shared/ids.ts';
import { isCopied } from '#shared/threads/message-order.ts';
import type { Message } from '#shared/threads/message.ts';
import type { Thread } from '#shared/threads/thread.ts';
import type { DeviceDatabase } from '#client/replica/device-database.ts';
import { openedReplica } from '#client/replica/open-replica.ts';
import { useQuery, useReader } from '#client/replica/use-query.ts';
import { useIsWhole } from '#client/replica/use-known.ts';
import { useSyncStatus } from '#client/replica/use-sync-status.ts';
import { ReplicaView } from '#client/replica/view.ts';
import { useIsOnline } from '#client/shell/online.ts';
import type { DeviceAnswer } from '#client/threads/device-answer.ts';
import { useActor } from '#client/workspaces/queries.ts';

/** Time after which a server that has not accepted a question counts as unreachable. */
const LATE_MS = 5_000;

type Answers = ReadonlyMap<Id<'message'>, DeviceAnswer>;

/** Resolves when every memory of this device can be found. */
function untilSearchable(search: {
  isComplete: boolean;
  subscribe(listener: () => void): () => void;
}): Promise<void> {
  if (search.isComplete) return Promise.resolve();
  return new Promise((resolve) => {
    const end = search.subscribe(() => {
      if (!search.isComplete) return;
      end();
      resolve();
    });
  });
}

/** Whether the server's answer to the message is missing; false when the message is. */
function isOpen(view: ReplicaView, id: string): boolean {
  const question = view.get('message', id);
  return question !== undefined && !view.messagesOf(question.threadId).some(({ replyTo }) => replyTo === id);
}

/** Undefined when the workspace was left meanwhile. */
async function makeAnswer(question: Message): Promise<DeviceAnswer | undefined> {
  const opened = openedReplica();
  if (opened === undefined) return undefined;
  const { replica, search, bodies } = opened;
  const [{ answerOnDevice }, { writeDeviceAnswer }] = await Promise.all([
    import('#client/threads/device-answer.ts'),
    import('#client/threads/write-device-answer.ts'),
    untilSearchable(search),
  ]);
  if (replica.mirrors.workspaceId !== question.workspaceId) return undefined;
  return answerOnDevice(question, {
    view: () => new ReplicaView(replica.mirrors),
    search: (query, request) => search.search(query, request),
    findTexts: (hashes) => bodies.findAll(hashes),
    write: writeDeviceAnswer,
  });
}

/** The questions that want an answer of this device now. */
function useWaitingQuestions(
  thread: Pick<Thread, 'created'>,
  messages: readonly Message[],
): readonly Message[] {
  const { userId } = useActor();
  const online = useIsOnline();
  const { pending } = useSyncStatus();
  const [now, setNow] = useState(Date.now);
  const unsent = new Set(pending.map(({ subject }) => subject));
  const answered = new Set(messages.map(({ replyTo }) => replyTo));
  const last = messages.at(-1);
  const open = messages.filter(
    (message) =>
      message.role === 'user' &&
      message.createdBy === userId &&
      !answered.has(message.id) &&
      !isCopied(message, thread),
  );
  // Sent messages are answered by the server; offline that only shows later.
  const waiting = open.filter((message) => unsent.has(message.id) || (message === last && !online));
  const isLate = ({ createdAt }: Message) => Date.parse(createdAt) + LATE_MS <= now;
  const next = waiting.find((message) => online && !isLate(message));
  const end = next === undefined ? 0 : Date.parse(next.createdAt) + LATE_MS;
  useEffect(() => {
    if (end === 0) return undefined;
    const timer = setTimeout(() => setNow(Date.now()), Math.max(0, end - Date.now()) + 1);
    return () => clearTimeout(timer);
  }, [end]);
  return waiting.filter((message) => !online || isLate(message));
}

/** Those to show, by the message that they answer, and how many were made since the page was opened. */
export function useDeviceAnswers(
  thread: Pick<Thread, 'workspaceId' | 'created'>,
  messages: readonly Message[],
): { answers: Answers; made: number } {
  const { workspaceId } = thread;
  const isWhole = useIsWhole();
  const read = useReader();
  /** Undefined until the device was read. */
  const [known, setKnown] = useState<Answers>();
  const [made, setMade] = useState(0);
  const underWay = useRef(new Set<string>());
  const isHere = useRef(true);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  useEffect(() => {
    let isCurrent = true;
    void findDeviceAnswers(workspaceId).then((found) => isCurrent && setKnown(found));
    return () => {
      isCurrent = false;
    };
  }, [workspaceId]);

  const gone = useQuery(
    (view) =>
      [...(known ?? [])].flatMap(([id, { citations }]) =>
        isOpen(view, id) && citations.every(({ memoryId }) => view.get('memory', memoryId)) ? [] : [id],
      ),
    [known],
  );
  useEffect(() => {
    if (isWhole && gone.length > 0) void forgetDeviceAnswers(gone);
  }, [gone, isWhole]);
  const answers = new Map([...(known ?? [])].filter(([id]) => !gone.includes(id)));

  const waiting = useWaitingQuestions(thread, messages);
  useEffect(() => {
    if (known === undefined || !isWhole) return;
    for (const question of waiting) {
      const isShown = known.has(question.id) && !gone.includes(question.id);
      if (isShown || underWay.current.has(question.id)) continue;
      underWay.current.add(question.id);
      makeAnswer(question)
        .then(async (answer) => {
          const isWanted = isHere.current && read((view) => isOpen(view, question.id));
          if (answer === undefined || !isWanted) return;
          await keepDeviceAnswer(question, answer);
          setKnown((now) => new Map([...(now ?? []), [question.id, answer]]));
          setMade((count) => count + 1);
        })
        .catch((failure: unknown) => console.warn('threads: no answer could be made here', failure))
        .finally(() => underWay.current.delete(question.id));
    }
  }, [known, gone, isWhole, waiting, read]);

  return { answers, made };
}

async function withTable<T>(
  act: (table: DeviceDatabase['answer']) => PromiseLike<T>,
): Promise<T | undefined> {
  const device = openedReplica()?.device;
  if (!device) return undefined;
  try {
    return await act((await device.tables()).answer);
  } catch (failure) {
    // No room, or no permission: the answer is shown and made again after a reload.
    console.info('threads: the answers of this device could not be used', failure);
    return undefined;
  }
}

/**
 * Answers that this device made, stored with the questions that wait on them. They are never synced: the server writes the
 * messages of the assistant. Where nothing may be stored, they exist as long as the page shows them. Those of a workspace,
 * by the message that they answer.
 */
async function findDeviceAnswers(
  workspaceId: Id<'workspace'>,
): Promise<ReadonlyMap<Id<'message'>, DeviceAnswer>> {
  const rows = await withTable((table) => table.where('workspaceId').equals(workspaceId).toArray());
  return new Map(
    (rows ?? []).map(({ messageId, content, citations }) => [messageId, { content, citations }]),
  );
}

async function keepDeviceAnswer(
  { id: messageId, workspaceId }: { id: Id<'message'>; workspaceId: Id<'workspace'> },
  { content, citations }: DeviceAnswer,
): Promise<void> {
  await withTable((table) => table.put({ messageId, workspaceId, content, citations: [...citations] }));
}

async function forgetDeviceAnswers(messageIds: readonly Id<'message'>[]): Promise<void> {
  await withTable((table) => table.bulkDelete([...messageIds]));
}
