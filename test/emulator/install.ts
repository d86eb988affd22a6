// Installs the emulator into `.local/ministack`, and makes the certificate that it serves.
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, runProgram } from '../e2e/support/command.ts';

/** MIT licence, about 90 MB installed: https://pypi.org/project/ministack/1.5.33/. Another version may close or open gaps of gaps.ts. */
export const MINISTACK_VERSION = '1.5.33';

/** Hosts of API Gateway and CloudFormation's callback addresses: the emulator's own name, and AWS's in the region under test. */
const CERTIFICATE_NAMES = ['localhost', '*.s3.localhost'];

/** Where the programs are; undefined, with the reason on standard output, where Python, PyPI or OpenSSL cannot be had. */
export async function installEmulator(): Promise<string | undefined> {
  const folder = join(ROOT, '.local', `ministack-${MINISTACK_VERSION}`);
  if (existsSync(folder)) return folder;
  const fresh = `${folder}.${process.pid}`;
  mkdirSync(join(ROOT, '.local'), { recursive: true, mode: 0o700 });
  try {
    await runProgram('openssl', ['version']);
    await runProgram('python3', ['-m', 'venv', fresh]);
    await runProgram(join(fresh, 'bin/python'), [
      ...['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-compile'],
      `ministack==${MINISTACK_VERSION}`,
    ]);
    // Scripts of a venv name its folder; `python -m` does not.
    renameSync(fresh, folder);
    return folder;
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    const reason = error instanceof Error ? error.message : String(error);
    process.stdout.write(
      `The emulator cannot be had, so nothing was deployed to it: ${reason.slice(0, 500)}\n`,
    );
    return undefined;
  }
}

/** Makes a certificate of its own authority for the emulator's names; gives the paths. */
export async function makeCertificate(
  folder: string,
  apiHosts: string,
): Promise<{ readonly certificate: string; readonly key: string }> {
  const certificate = join(folder, 'certificate.pem');
  const key = join(folder, 'key.pem');
  const names = [...CERTIFICATE_NAMES, apiHosts].map((name) => `DNS:${name}`);
  await runProgram('openssl', [
    ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'],
    ...['-keyout', key, '-out', certificate],
    ...['-addext', `subjectAltName=${names.join(',')},IP:127.0.0.1`],
  ]);
  return { certificate, key };
}
