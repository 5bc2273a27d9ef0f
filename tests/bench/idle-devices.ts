/**
 * Devices that are connected and still, in a process of their own: each holds the stream of its person's pokes over a socket.
 * Gets its port and sessions as a message, and says when every device has been told where its realms are.
 */
import net from 'node:net';

export interface IdleDevices {
  port: number;
  /** One session for each device. */
  tokens: readonly string[];
}

/** Connections that are opened at once; the server's queue for new ones is limited. */
const AT_ONCE = 50;

/** Resolves with the first event of the stream. */
function connect(port: number, token: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(port, '127.0.0.1', () => {
      socket.write(
        `GET /v1/sync/poke HTTP/1.1\r\nHost: localhost:${port}\r\nAuthorization: Bearer ${token}\r\n\r\n`,
      );
    });
    let text = '';
    const hear = (chunk: Buffer) => {
      text += chunk.toString();
      if (!text.includes('event: start')) return;
      socket.off('data', hear);
      socket.resume();
      resolve();
    };
    socket.on('data', hear);
    socket.on('error', reject);
    socket.on('close', () => reject(new Error(`The stream ended: ${text.slice(0, 200)}`)));
  });
}

process.on('message', ({ port, tokens }: IdleDevices) => {
  const left = [...tokens];
  const connectRest = async () => {
    for (let token = left.pop(); token !== undefined; token = left.pop()) await connect(port, token);
  };
  void Promise.all(Array.from({ length: AT_ONCE }, connectRest)).then(() => process.send?.('connected'));
});
