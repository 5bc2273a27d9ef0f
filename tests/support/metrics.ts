/** Reads GET /metrics as an operator's collector does, one number at a time. */
import type { World } from './world.ts';

/** What was measured at one moment. */
export interface Measured {
  text: string;
  /** Value of a series as it is written, labels in their order; 0 when it is not there yet. */
  of(series: string): number;
}

export async function readMetrics(world: World): Promise<Measured> {
  const response = await fetch(`${world.url}/metrics`);
  if (response.status !== 200) throw new Error(`/metrics answered ${response.status}`);
  const text = await response.text();
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const values = new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), line.split(' ').at(-1)]));
  return { text, of: (series) => Number(values.get(series) ?? 0) };
}

/** The increase of metrics during an action; the result returns it for a series by its name. */
export async function rises(world: World, act: () => Promise<unknown>): Promise<(series: string) => number> {
  const before = await readMetrics(world);
  await act();
  const after = await readMetrics(world);
  return (series) => after.of(series) - before.of(series);
}
