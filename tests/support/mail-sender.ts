/** Sends mails into a world as a mail server would, and shows what the SMTP dialogue came to. */
import { connect, type Socket } from 'node:net';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { MAIL_LIMITS, type MailServerLimits } from '#server/capture/mail/mail-limits.ts';
import { startMailServer, type MailServer } from '#server/capture/mail/mail-server.ts';
import type { Id } from '#shared/ids.ts';
import type { Agent } from './agent.ts';
import type { World } from './world.ts';

export const MAIL_DOMAIN = 'in.example';
/** For a world that takes mails. */
export const MAIL_ENV = { INBOUND_MAIL_DOMAIN: MAIL_DOMAIN };

/** Listens for mails of a world. */
export function listenForMails(
  { context }: World,
  limits: Partial<MailServerLimits> = {},
): Promise<MailServer> {
  const place = { domain: MAIL_DOMAIN, host: '127.0.0.1', port: 0 };
  return startMailServer(context, place, { ...MAIL_LIMITS, ...limits });
}

/** A new secret address of the person. */
export async function mailAddressOf(person: Agent, workspaceId: Id<'workspace'>): Promise<string> {
  const { result } = await person.api('mail_address.renew', { params: { workspaceId } });
  if (result.address === null) throw new Error('There is no address');
  return result.address;
}

/** The reply to the mail: its code, and its words. */
export interface MailReply {
  code: number;
  words: string;
}

/** Sends a mail with a client of its own. */
export async function sendMail(
  { port }: Pick<MailServer, 'port'>,
  mail: SendMailOptions,
): Promise<MailReply> {
  const transport = createTransport({ host: '127.0.0.1', port, ignoreTLS: true });
  try {
    const { response } = await transport.sendMail({ from: 'ann@elsewhere.example', ...mail });
    return replyOf(response);
  } catch (error) {
    const response = error instanceof Error && 'response' in error ? String(error.response) : undefined;
    if (response === undefined) throw error;
    return replyOf(response);
  } finally {
    transport.close();
  }
}

/** Sends these very bytes. */
export function sendRaw(
  server: Pick<MailServer, 'port'>,
  to: string,
  raw: string | Buffer,
): Promise<MailReply> {
  return sendMail(server, { envelope: { from: 'ann@elsewhere.example', to }, raw });
}

const replyOf = (response: string): MailReply => ({
  code: Number(response.slice(0, 3)),
  words: response.slice(4),
});

/** A connection on which a test speaks SMTP itself. */
export interface SmtpLine {
  socket: Socket;
  /** Sends a line and returns the reply. */
  say(line: string): Promise<string>;
  end(): void;
}

/** Connects and reads the greeting. */
export async function openLine({ port }: Pick<MailServer, 'port'>): Promise<SmtpLine> {
  const socket = connect(port, '127.0.0.1');
  socket.setEncoding('utf8');
  const pieces: AsyncIterator<string> = socket[Symbol.asyncIterator]();
  const reply = async () => {
    let heard = '';
    // A reply ends with a line without a hyphen behind its code.
    while (!/^\d{3} .*\r\n$/m.test(heard)) {
      const { value, done } = await pieces.next();
      if (done) return heard;
      heard += value;
    }
    return heard;
  };
  await reply();
  return {
    socket,
    say(line) {
      socket.write(`${line}\r\n`);
      return reply();
    },
    end: () => socket.destroy(),
  };
}
