// The OAuth client entity as the consent page shows it.
import { z } from 'zod';
import { defineEntity } from '../define/entity.ts';
import { email, nameText, text, timestamp, webUrl } from '../define/fields.ts';
import { idOf } from '../define/id-schema.ts';
import { LIMITS } from '../constants.ts';

export const oauthClient = defineEntity('oauth_client', {
  fields: {
    id: idOf('oauth_client'),
    name: nameText,
    description: text(LIMITS.description).nullable(),
    email: email.nullable(),
    logoUrl: webUrl.nullable(),
    websiteUrl: webUrl.nullable(),
    privacyPolicyUrl: webUrl.nullable(),
    termsOfServiceUrl: webUrl.nullable(),
    verified: z.boolean(),
    created: timestamp,
    updated: timestamp,
  },
  create: [],
  update: [],
  defaults: {},
  filters: ['id', 'name', 'verified'],
});
