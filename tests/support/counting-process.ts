/** A process that counts its inputs, ends at one, or takes memory and keeps it. */
const kept: Uint8Array[] = [];
let calls = 0;

process.on('message', ({ ends = false, takesMb = 0 }: { ends?: boolean; takesMb?: number }) => {
  if (ends) process.exit(1);
  kept.push(new Uint8Array(takesMb * 1_048_576).fill(1));
  calls += 1;
  process.send?.({ calls });
});
process.send?.('ready');
