// The calls by which owners and admins choose who writes the answers of a workspace.
import { z } from 'zod';
import { defineEndpoint } from '../define/endpoint.ts';
import { idOf } from '../define/id-schema.ts';
import { answeringBody, answeringSettings, answeringTest } from './answering-settings.ts';

const params = z.object({ workspaceId: idOf('workspace') });

export const answeringEndpoints = {
  'answering_settings.get': defineEndpoint({
    method: 'GET',
    path: '/v1/answering/{workspaceId}/settings',
    summary: 'Who writes the answers of the workspace, for owners and admins. A key is never part of it.',
    auth: 'session_member',
    params,
    result: answeringSettings,
  }),
  'answering_settings.replace': defineEndpoint({
    method: 'PUT',
    path: '/v1/answering/{workspaceId}/settings',
    summary:
      'Chooses who writes the answers: the model of the server, none, or a service with a key of the workspace. Without `apiKey` the key that was given for the same service stays.',
    auth: 'session_member',
    params,
    body: answeringBody,
    result: answeringSettings,
  }),
  'answering_settings.test': defineEndpoint({
    method: 'POST',
    path: '/v1/answering/{workspaceId}/settings/test',
    summary: 'Asks a service for a few words before it is chosen. Counts as an answer; nothing is stored.',
    auth: 'session_member',
    rate: 'capture',
    spaceless: true,
    params,
    body: answeringBody,
    result: answeringTest,
  }),
} as const;
