// What the stream of pokes makes a replica pull: what it may have missed, and what its last pull failed to get.
import { expect, it, vi } from 'vitest';
import { MissedVersions } from '#client/replica/worker/missed-versions.ts';

const HERE = { v: 7, e: 'first' };

/** After the pull of the start, which ended here. */
function opened() {
  const pull = vi.fn<() => void>();
  const missed = new MissedVersions(pull);
  missed.pullBegan();
  missed.pullEnded(true, HERE);
  return { missed, pull };
}

it.each([
  ['is where the replica is', HERE, 0],
  ['has gone on', { v: 8, e: 'first' }, 1],
  ['was restored to fewer versions', { v: 6, e: 'first' }, 1],
  ['was restored to as many versions', { v: 7, e: 'second' }, 1],
  ['is not named', undefined, 1],
])('a realm that %s is pulled accordingly', (_what, position, times) => {
  const { missed, pull } = opened();
  missed.streamBegan(position);
  expect(pull).toHaveBeenCalledTimes(times);
});

it('a realm whose last pull failed is pulled wherever it is, so that the person does not wait to see that all is well', () => {
  const { missed, pull } = opened();
  missed.pullBegan();
  missed.pullEnded(false, undefined);
  missed.streamBegan(HERE);
  expect(pull).toHaveBeenCalledTimes(1);
});

it('a pull under way is compared with what the stream said, and followed by one more where it came too early', () => {
  const { missed, pull } = opened();
  missed.pullBegan();
  missed.streamBegan({ v: 8, e: 'first' });
  expect(pull).not.toHaveBeenCalled();
  missed.pullEnded(true, HERE);
  expect(pull).toHaveBeenCalledTimes(1);
  missed.pullBegan();
  missed.pullEnded(true, { v: 8, e: 'first' });
  expect(pull).toHaveBeenCalledTimes(1);
});

it.each([
  ['that is here already', 7, 0],
  ['that is not here', 8, 1],
])('a poke for a version %s is pulled accordingly', (_what, version, times) => {
  const { missed, pull } = opened();
  missed.poked(version);
  expect(pull).toHaveBeenCalledTimes(times);
});

it.each([
  ['brings its version', true, { v: 8, e: 'first' }, 0],
  ['came too early', true, HERE, 1],
  ['fails', false, undefined, 1],
])('a poke during a pull that %s is followed by a pull accordingly', (_what, isOk, position, times) => {
  const { missed, pull } = opened();
  missed.pullBegan();
  missed.poked(8);
  missed.poked(7);
  expect(pull).not.toHaveBeenCalled();
  missed.pullEnded(isOk, position);
  expect(pull).toHaveBeenCalledTimes(times);
});

it('a poke before the first response is compared with it', () => {
  const pull = vi.fn<() => void>();
  const missed = new MissedVersions(pull);
  missed.poked(7);
  missed.pullBegan();
  missed.pullEnded(true, HERE);
  expect(pull).not.toHaveBeenCalled();
});
