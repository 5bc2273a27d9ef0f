/** A thread that estimates how many guesses a password takes; its word lists and its work stay off the main thread. */
import { parentPort } from 'node:worker_threads';
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';
import type { GuessAnswer, GuessQuestion } from './guesses.ts';

const estimator = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });

parentPort?.on('message', ({ id, passwords, words }: GuessQuestion) => {
  const guesses = passwords.map((password) => estimator.check(password, [...words]).guesses);
  const answer: GuessAnswer = { id, guesses: Math.min(...guesses) };
  parentPort?.postMessage(answer);
});
