// Runs the fixture `notes`, a template written by hand, for tests of the local run as a whole.
import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CreateSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { onTestFinished } from 'vitest';
import { type Local, type LocalOptions, startLocal } from '../index.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

const FIXTURE = fileURLToPath(new URL('./fixtures/notes', import.meta.url));
const MODULES = dirname(
  dirname(dirname(createRequire(import.meta.url).resolve('@aws-sdk/client-dynamodb/package.json'))),
);
const ALLOWED = { authorization: 'Bearer let-me-in' };

interface Template {
  Resources: Record<string, { Type: string; Properties: Record<string, unknown> }>;
}

/** A folder of its own with the fixture, which a test may edit, and a data folder. */
export function prepare() {
  const root = temporaryFolder();
  // Lambda's runtime has the SDK as well.
  symlinkSync(MODULES, join(root, 'node_modules'));
  const data = temporaryFolder();
  cpSync(FIXTURE, root, { recursive: true });
  const file = join(root, 'Notes.template.json');
  const edit = (change: (template: Template) => void) => {
    const template = JSON.parse(readFileSync(file, 'utf8')) as Template;
    change(template);
    writeFileSync(file, JSON.stringify(template));
  };
  return { root, data, edit };
}

/** Starts the run, which the end of the test stops; `lines` are what it said. */
export async function start(root: string, data: string, more: Partial<LocalOptions> = {}) {
  const lines: string[] = [];
  const log = (line: string) => lines.push(line);
  const local = await startLocal({ assembly: root, data, port: 0, log, ...more });
  onTestFinished(() => local.stop());
  return { local, lines };
}

/** Adds a note to a topic. */
export const post = (local: Pick<Local, 'url'>, topic: string, body: string) =>
  fetch(`${local.url}/${topic}`, { method: 'POST', headers: ALLOWED, body });
/** Reads a topic: its notes, and what the function saw of its surroundings. */
export const get = async (local: Pick<Local, 'url'>, topic: string) => {
  const answer = await fetch(`${local.url}/${topic}`, { headers: ALLOWED });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
};
/** The notes of a topic. */
export const notes = async (local: Pick<Local, 'url'>, topic: string) =>
  (await get(local, topic)).body['notes'];

/** Creates the secret that the API reads. */
export async function setSecret(
  { endpoints, region }: Pick<Local, 'endpoints' | 'region'>,
  SecretString: string,
): Promise<void> {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const client = new SecretsManagerClient({ endpoint: endpoints.secretsmanager, region, credentials });
  await client.send(new CreateSecretCommand({ Name: 'notes/password', SecretString }));
  client.destroy();
}

/** The lock of a data folder, which names the process of the database. */
export const lockOf = (data: string) =>
  JSON.parse(readFileSync(join(data, 'lock.json'), 'utf8')) as { engine: { pid: number } };

/** Processes whose command line or environment names the folder. */
export function processesOf(folder: string): readonly string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const about = ['cmdline', 'environ']
          .map((file) => readFileSync(`/proc/${pid}/${file}`, 'utf8'))
          .join();
        return about.includes(folder) && Number(pid) !== process.pid;
      } catch {
        return false;
      }
    });
}
