// Finds the processes at the other ends of loopback connections, from the kernel's tables (proc_pid_fd(5), proc_net(5)): no process has to say who it is.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import type { Socket } from 'node:net';

/** Their process ids; connections that have ended have none. */
export function pidsOfPeers(sockets: Iterable<Socket>): ReadonlySet<number> {
  const wanted = new Set<string>();
  for (const { remotePort, localPort } of sockets) wanted.add(`${remotePort} ${localPort}`);
  const inodes = new Set(connections().flatMap(({ ports, inode }) => (wanted.has(ports) ? [inode] : [])));
  const pids = readdirSync('/proc').filter((entry) => /^[0-9]+$/.test(entry));
  return new Set(pids.filter((pid) => inodesOf(pid).some((inode) => inodes.has(inode))).map(Number));
}

/** Every connection by its own port and its peer's. */
function connections(): readonly { readonly ports: string; readonly inode: string }[] {
  return ['tcp', 'tcp6'].flatMap((table) =>
    readFileSync(`/proc/net/${table}`, 'utf8')
      .split('\n')
      .slice(1)
      .map((line) => {
        const [, local = '', remote = '', , , , , , , inode = ''] = line.trim().split(/\s+/);
        return { ports: `${portOf(local)} ${portOf(remote)}`, inode };
      }),
  );
}

function portOf(address: string): number {
  return Number.parseInt(address.split(':')[1] ?? '', 16);
}

/** Of the sockets of a process; none where it has ended or is another user's. */
function inodesOf(pid: string): readonly string[] {
  try {
    const folder = `/proc/${pid}/fd`;
    return readdirSync(folder).flatMap(
      (file) => /^socket:\[(\d+)\]$/.exec(linkOf(`${folder}/${file}`))?.[1] ?? [],
    );
  } catch {
    return [];
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
