// A function's process: loads the bundle, makes one call, says how long both took since the process began. JavaScript, because
// stripping types takes longer than some bundles.
import { readFileSync } from 'node:fs';
import { Writable } from 'node:stream';

const [bundle, eventFile] = process.argv.slice(2);
const event = JSON.parse(readFileSync(eventFile, 'utf8'));

/** The stream of an answer: it is whole when it ends. */
class Sink extends Writable {
  body = '';
  _write(chunk, _encoding, done) {
    this.body += chunk;
    done();
  }
}

globalThis.awslambda = {
  streamifyResponse: (handler) => Object.assign(handler, { streams: true }),
  HttpResponseStream: {
    from: (stream, { statusCode }) => Object.assign(stream, { statusCode }),
  },
};
const { handler } = await import(bundle);
const importedMs = performance.now();
const context = { getRemainingTimeInMillis: () => 60_000 };
const sink = new Sink();
const answered = new Promise((resolve) => sink.once('finish', resolve));
const running = handler.streams ? handler(event, sink, context) : handler(event, context);
const result = await (handler.streams ? answered : running);
const answeredMs = performance.now();
const { user, system } = process.cpuUsage();
const cpuMs = (user + system) / 1_000;
await running;
const answer = handler.streams ? { statusCode: sink.statusCode, body: sink.body } : result;
process.stdout.write(JSON.stringify({ importedMs, answeredMs, cpuMs, answer }));
process.exit(0);
