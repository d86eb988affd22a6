// A name server on loopback (RFC 1035): answers for the names that it has, and never for those that stall.
import { createSocket } from 'node:dgram';
import { onTestFinished } from 'vitest';

/** What it has of a name: an IPv4 address, `none` for a name without addresses, `stalled` for no answer ever. */
export type Zone = Readonly<Record<string, string>>;

export interface NameServer {
  /** For `setServers`. */
  readonly address: string;
  /** The names that were asked for, one for each datagram. */
  readonly asked: readonly string[];
}

const A = 1;

/** Stops with the test. */
export async function startNameServer(zone: Zone): Promise<NameServer> {
  const asked: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (message, { port, address }) => {
    const { name, type, end } = readQuestion(message);
    asked.push(name);
    const has = zone[name];
    if (has === 'stalled') return;
    const octets = has === undefined || has === 'none' || type !== A ? [] : [has.split('.').map(Number)];
    const header = Buffer.from(message.subarray(0, 12));
    // A response, recursion available; 3 is NXDOMAIN (section 4.1.1).
    header.writeUInt16BE(has === undefined ? 0x8183 : 0x8180, 2);
    header.writeUInt16BE(octets.length, 6);
    header.fill(0, 8, 12);
    const records = octets.map((four) => Buffer.from([0xc0, 12, 0, A, 0, 1, 0, 0, 0, 60, 0, 4, ...four]));
    socket.send(Buffer.concat([header, message.subarray(12, end), ...records]), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => socket.close(() => resolve())));
  return { address: `127.0.0.1:${socket.address().port}`, asked };
}

function readQuestion(message: Buffer) {
  const labels: string[] = [];
  let at = 12;
  for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 };
}
