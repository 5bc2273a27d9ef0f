/** A device that starts anew, in a process of its own: what it does with the answers is no cost of the server. */
import { pullAll } from './pulls.ts';

const [url = '', token = '', realmId = ''] = process.argv.slice(2);

process.on('message', () => {
  void pullAll({ url, token }, realmId).then(({ pages }) => process.send?.(pages));
});
