/**
 * Receives mails by SMTP from a mail server that forwards to this one. A mail is accepted only when it is saved: the reply to
 * DATA is 250 after the commit, and a mail that cannot be saved is refused with the reason. It relays no mail, and has neither
 * encryption nor authentication, so the port belongs behind a mail server.
 */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import { FILES } from '#shared/capture/limits.ts';
import type { Context } from '../../context.ts';
import { TIMEOUTS } from '../../limits.ts';
import { findRecipient, type Recipient } from './mail-address.ts';
import { MAIL_LIMITS, type MailServerLimits } from './mail-limits.ts';
import { asRefusal, MailRefusal, noSuchAddress } from './mail-refusal.ts';
import { saveMail } from './save-mail.ts';

export interface MailServer {
  port: number;
  /** Accepts no more mails and waits for those that are being saved. */
  close(): Promise<void>;
}

interface Connection {
  wrongAddresses: number;
  recipient?: Recipient;
}

interface Place {
  domain: string;
  host: string;
  port: number;
}

type Done = (error?: Error | null, message?: string) => void;

/** Listens. @throws when the port is in use */
export async function startMailServer(
  context: Context,
  { domain, host, port }: Place,
  limits: MailServerLimits = MAIL_LIMITS,
): Promise<MailServer> {
  const { silenceMs = TIMEOUTS.mailSilence, connectionMs = TIMEOUTS.mailConnection } = limits;
  const connections = new WeakMap<SMTPServerSession, Connection>();
  const stateOf = (session: SMTPServerSession): Connection => {
    const known = connections.get(session) ?? { wrongAddresses: 0 };
    connections.set(session, known);
    return known;
  };
  const saving = new Set<string>();
  let heldBytes = 0;
  const hold = (bytes: number) => {
    heldBytes += bytes;
    return heldBytes <= limits.heldBytes;
  };
  const refuse = (error: unknown, done: Done) => {
    const refusal = asRefusal(error);
    if (refusal !== error && refusal.responseCode === 451)
      context.log.warn({ error }, 'a mail could not be saved for the moment');
    done(refusal);
  };

  const server = new SMTPServer({
    name: domain,
    banner: 'Loci',
    size: limits.bytes,
    disabledCommands: ['AUTH', 'STARTTLS', 'VRFY', 'HELP'],
    hideSTARTTLS: true,
    authOptional: true,
    disableReverseLookup: true,
    maxClients: limits.connections,
    socketTimeout: silenceMs,
    closeTimeout: TIMEOUTS.stopMails,
    logger: false,
    onRcptTo({ address }, session, done) {
      const state = stateOf(session);
      if (session.envelope.rcptTo.length > 0) {
        // One mail has one outcome; the sender's server sends the others by themselves.
        done(new MailRefusal(452, 'One recipient at a time, please'));
        return;
      }
      findRecipient(context, address).then(
        (recipient) => {
          if (recipient !== undefined) {
            state.recipient = recipient;
            done();
            return;
          }
          state.wrongAddresses += 1;
          const isGuessing = state.wrongAddresses >= limits.wrongAddresses;
          done(isGuessing ? new MailRefusal(421, 'Too many wrong addresses') : noSuchAddress());
        },
        (error: unknown) => refuse(error, done),
      );
    },
    onData(stream, session, done) {
      const { recipient } = stateOf(session);
      saving.add(session.id);
      receive(stream, hold)
        .then(async ({ raw, release }) => {
          try {
            if (recipient === undefined) throw noSuchAddress();
            await saveMail(context, recipient, raw);
          } finally {
            release();
          }
        })
        .finally(() => saving.delete(session.id))
        .then(
          () => done(null, 'Saved'),
          (error: unknown) => refuse(error, done),
        );
    },
  });
  server.on('error', (error) => context.log.info({ error }, 'a connection for mails broke'));
  // A sender that sends a little now and then is never silent.
  server.server.on('connection', (socket) => {
    const end = setTimeout(() => socket.destroy(), connectionMs);
    socket.once('close', () => clearTimeout(end));
  });
  const listening = server.listen(port, host);
  await once(listening, 'listening');
  const address = listening.address() as AddressInfo;
  return {
    port: address.port,
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
        for (const connection of server.connections)
          if (!saving.has(connection.id)) connection.send(421, 'Server shutting down');
      }),
  };
}

interface Received {
  raw: Buffer;
  /** The memory is free again. */
  release: () => void;
}

/** The whole mail. @throws MailRefusal when it is too large, or when this server holds too many at the moment */
async function receive(stream: SMTPServerDataStream, hold: (bytes: number) => boolean): Promise<Received> {
  const chunks: Buffer[] = [];
  let held = 0;
  let isFull = false;
  const release = () => {
    hold(-held);
    held = 0;
    chunks.length = 0;
  };
  try {
    for await (const piece of stream) {
      const chunk = piece as Buffer;
      // The rest is still read, because the reply can only follow the end of the mail.
      if (stream.sizeExceeded || isFull) {
        release();
        continue;
      }
      held += chunk.length;
      isFull = !hold(chunk.length);
      chunks.push(chunk);
    }
    if (stream.sizeExceeded)
      throw new MailRefusal(
        552,
        `The mail is too large; its attachments may have ${FILES.maxBytes / 1024 / 1024} MB together`,
      );
    if (isFull) throw new MailRefusal(452, 'Too many mails arrive at the moment, try again later');
    return { raw: Buffer.concat(chunks), release };
  } catch (error) {
    release();
    throw error;
  }
}
