/** A thread that estimates how many guesses a password withstands; its word lists and its work stay off the main thread. */
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';
import { serveParent } from '../jobs/serve-parent.ts';
import type { GuessQuestion } from './guesses.ts';

const estimator = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });

serveParent(({ passwords, words }: GuessQuestion) =>
  Math.min(...passwords.map((password) => estimator.check(password, [...words]).guesses)),
);
