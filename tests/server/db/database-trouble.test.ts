/** Why a statement failed is decided in one place, and what is no fault of the request is answered with 503. */
import { expect, it } from 'vitest';
import { isConnectionLost, isDatabaseTrouble } from '#server/db/database-trouble.ts';
import { provesRollback } from '#server/db/transaction.ts';
import { asAppError } from '#server/http/errors.ts';

const coded = (code: string): Error => Object.assign(new Error('failed'), { code });

it.each([
  ['a reset connection', coded('ECONNRESET')],
  ['a broken pipe, whose code looks like an SQLSTATE', coded('EPIPE')],
  ['a write after the end', coded('ERR_STREAM_WRITE_AFTER_END')],
  ['a destroyed socket', coded('ERR_STREAM_DESTROYED')],
  ['a network that does not answer', coded('ETIMEDOUT')],
  ['a refused connection', Object.assign(new AggregateError([], ''), { code: 'ECONNREFUSED' })],
  ['a shutdown', coded('57P01')],
  ['a crash', coded('57P02')],
  ['a start', coded('57P03')],
  ['a failed connection', coded('08006')],
  ['a broken protocol', coded('08P01')],
  ['an idle transaction that was ended', coded('25P03')],
  ['a connection that ended', new Error('Connection terminated')],
  ['a connection that ended early', new Error('Connection terminated unexpectedly')],
  ['a connection that timed out', new Error('Connection terminated due to connection timeout')],
  ['a broken client', new Error('Client has encountered a connection error and is not queryable')],
  ['a closed client', new Error('Client was closed and is not queryable')],
  ['a statement without an answer', new Error('Query read timeout')],
  ['a connection that was given up', new Error('The database connection stopped answering')],
])('%s is a lost connection', (_what, error) => {
  expect([isConnectionLost(error), isDatabaseTrouble(error)]).toEqual([true, true]);
  expect(asAppError(error)).toMatchObject({ code: 'unavailable', status: 503, retryAfter: 1 });
  const failure = { error, elapsedMs: 0 };
  expect(provesRollback({ ...failure, committing: false })).toBe(true);
  expect(provesRollback({ ...failure, committing: true })).toBe(false);
});

it.each([
  ['no free connection', new Error('timeout exceeded when trying to connect')],
  ['a pool that was closed', new Error('Cannot use a pool after calling end on the pool')],
  ['a driver that was closed', new Error('driver has already been destroyed')],
  ['a full disk', coded('53100')],
  ['too many connections', coded('53300')],
  ['a password that was changed', coded('28P01')],
  ['a database that is being restored', coded('3D000')],
  ['a cancelled statement', coded('57014')],
  ['a lock that was not had', coded('55P03')],
  ['a failover', coded('25006')],
  ['a fault inside', coded('XX000')],
])('%s is trouble of the database, and no lost connection', (_what, error) => {
  expect([isConnectionLost(error), isDatabaseTrouble(error)]).toEqual([false, true]);
  expect(asAppError(error)).toMatchObject({ code: 'unavailable', status: 503, retryAfter: 1 });
});

it.each([
  ['a wrong column', coded('42703')],
  ['a duplicate', coded('23505')],
  ['a malformed number', coded('22P02')],
  ['a fault of ours', new Error('Cannot read properties of undefined')],
  ['no error', 'Connection terminated'],
])('%s is neither', (_what, error) => {
  expect([isConnectionLost(error), isDatabaseTrouble(error)]).toEqual([false, false]);
  expect(asAppError(error)?.status).not.toBe(503);
});
