/** A process that counts its inputs, ends at one, never replies to one, or takes memory and keeps it. */
const kept: Uint8Array[] = [];
let calls = 0;

interface Input {
  ends?: boolean;
  hangs?: boolean;
  takesMb?: number;
}

process.on('message', ({ ends = false, hangs = false, takesMb = 0 }: Input) => {
  if (ends) process.exit(1);
  if (hangs) return;
  kept.push(new Uint8Array(takesMb * 1_048_576).fill(1));
  calls += 1;
  process.send?.({ calls });
});
process.send?.('ready');
