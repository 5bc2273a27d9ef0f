/** The calls about the address that a person sends mails to. */
import type { mailAddressEndpoints } from '#shared/capture/mail-address-endpoints.ts';
import type { Handlers } from '../../http/call.ts';
import { getMailAddress, removeMailAddress, renewMailAddress } from './mail-address.ts';

export const mailAddressHandlers = {
  'mail_address.get': async ({ context, actor }) => ({ result: await getMailAddress(context, actor) }),
  'mail_address.renew': async ({ context, actor }) => ({ result: await renewMailAddress(context, actor) }),
  'mail_address.remove': async ({ context, actor }) => {
    await removeMailAddress(context, actor);
    return { result: null };
  },
} satisfies Handlers<typeof mailAddressEndpoints>;
