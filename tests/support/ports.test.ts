/** Ports for programs under test: below those of outgoing connections, one process each, and truly free. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { portRange, takePort } from './ports.ts';

const MODULE = path.join(import.meta.dirname, 'ports.ts');

/** What a process of its own gets. */
async function takenElsewhere(count: number): Promise<number[]> {
  const source = `
    import { takePort } from ${JSON.stringify(MODULE)};
    console.log(JSON.stringify(await Promise.all(Array.from({ length: ${count} }, () => takePort()))));
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', source]);
  return JSON.parse(stdout);
}

describe('a port for a program under test', () => {
  test.for([
    [32_768, [20_000, 32_768]],
    [49_152, [20_000, 32_768]],
    [15_000, [14_500, 15_000]],
  ] as const)('where outgoing connections begin at %i lies in %j', ([ephemeral, range]) => {
    expect(portRange(ephemeral)).toEqual(range);
  });

  test('is not made up where outgoing connections take all', () => {
    expect(() => portRange(1_024)).toThrow('No ports below 1024');
  });

  test('is another one each time, also when many are taken at once', async () => {
    const ports = await Promise.all(Array.from({ length: 100 }, () => takePort()));
    expect(new Set(ports).size).toBe(100);
    expect(Math.max(...ports)).toBeLessThan(32_768);
    const elsewhere = await takenElsewhere(100);
    expect(elsewhere.filter((port) => ports.includes(port))).toEqual([]);
  });

  test('can be listened on, on every address, and again after a stop', async () => {
    const port = await takePort();
    for (const host of ['127.0.0.1', undefined]) {
      const server = net.createServer().listen(port, host);
      await once(server, 'listening');
      server.close();
      await once(server, 'close');
    }
  });

  test('is none that a program listens on, nor one that was given before', async () => {
    const server = net.createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const used = address !== null && typeof address === 'object' ? address.port : 0;
    await expect(takePort([used, used + 1])).rejects.toThrow(`Every port from ${used} to ${used} is taken`);
    server.close();
    const given = await takePort();
    await expect(takePort([given, given + 1])).rejects.toThrow('is taken');
  });
});
