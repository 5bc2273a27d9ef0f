// The calls about the address that a person sends mails to.
import { z } from 'zod';
import { defineEndpoint } from '../define/endpoint.ts';
import { idOf } from '../define/id-schema.ts';
import { mailAddress } from './mail-address.ts';

const params = z.object({ workspaceId: idOf('workspace') });

export const mailAddressEndpoints = {
  'mail_address.get': defineEndpoint({
    method: 'GET',
    path: '/v1/mail-address/{workspaceId}',
    summary: 'The secret address of the person: mails to it are saved in the workspace as theirs.',
    auth: 'session_member',
    params,
    result: mailAddress,
  }),
  'mail_address.renew': defineEndpoint({
    method: 'POST',
    path: '/v1/mail-address/{workspaceId}',
    summary: 'Makes a new secret address; an earlier one stops at once.',
    auth: 'session_member',
    params,
    result: mailAddress,
    secret: true,
  }),
  'mail_address.remove': defineEndpoint({
    method: 'DELETE',
    path: '/v1/mail-address/{workspaceId}',
    summary: 'Switches the address off. What was saved stays.',
    auth: 'session_member',
    params,
    result: z.null(),
  }),
} as const;
