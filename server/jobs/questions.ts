// What a thread or process asks its parent while it works on an input, as messages between them.

export interface Question {
  asked: number;
  value: unknown;
}

export interface Answer {
  answerTo: number;
  value: unknown;
}

const has = (message: unknown, key: string) =>
  typeof message === 'object' && message !== null && Object.hasOwn(message, key);

export const isQuestion = (message: unknown): message is Question => has(message, 'asked');
export const isAnswer = (message: unknown): message is Answer => has(message, 'answerTo');
