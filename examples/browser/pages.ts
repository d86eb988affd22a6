// Serves the example page, and the built client beside it.
import { createReadStream, existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { listen } from './listen.ts';

const TYPES = { html: 'text/html; charset=utf-8', css: 'text/css', js: 'text/javascript' } as const;

/** Starts it on loopback. `client` is the built module, which the page loads as `./neuron-client.js`. */
export async function startPages(
  port: number,
  client: string,
): Promise<{ readonly url: string; readonly server: Server }> {
  if (!existsSync(client)) throw new Error(`${client} is missing: run npm run build:client`);
  const files: Readonly<Record<string, string>> = {
    '/': join(import.meta.dirname, 'index.html'),
    '/style.css': join(import.meta.dirname, 'style.css'),
    '/page.js': join(import.meta.dirname, 'page.js'),
    '/neuron-client.js': client,
  };
  const server = createServer((request, response) => {
    const file = files[(request.url ?? '').replace(/\?.*$/, '')];
    if (file === undefined) {
      response.writeHead(404).end();
      return;
    }
    const type = TYPES[file.slice(file.lastIndexOf('.') + 1) as keyof typeof TYPES];
    response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store' });
    createReadStream(file).pipe(response);
  });
  return { url: await listen(server, port), server };
}
