// Writes two days of a sealed log into a bucket of the emulator with the archive function's own code, as whoever the variables name. Prints
// the objects as JSON, by their names. BUCKET FOLDER
import { startDynamoDb } from '../support/dynamodb.ts';
import { createSealedLog } from '../support/sealed-log.ts';

/** Ten minutes before midnight; seals are made every two minutes, into the next day. */
const START_MS = Date.parse('2026-11-20T23:50:00Z');
const DAYS = ['2026-11-20', '2026-11-21'];

const [bucket = '', folder = ''] = process.argv.slice(2);
// The emulator is on this machine.
Object.assign(globalThis, { [Symbol.for('neuron.loopback')]: true });
const { archiveDay } = await import('../../core/logs/archive/write-day.ts');
const { compose } = await import('../../lambdas/archive/compose.ts');

const dynamoDb = await startDynamoDb({ withStreams: false });
process.env['AWS_ENDPOINT_URL_DYNAMODB'] = dynamoDb.endpoint;
process.env['AWS_ENDPOINT_URL_S3'] = process.env['AWS_ENDPOINT_URL'];
const log = createSealedLog(dynamoDb, 'org-archived', START_MS);
await log.fill(Array.from({ length: 15 }, (_, index) => `call-${index}=`));
const ports = compose({
  ...{ logsTable: dynamoDb.tables.logs, usageTable: dynamoDb.tables.usage },
  ...{ archiveBucket: bucket, archiveFolder: folder, archiveLock: 'GOVERNANCE 1' },
});
const objects: Record<string, string> = {};
for (const day of DAYS)
  await archiveDay(day, {
    ...ports,
    async put(name, body, organizations) {
      await ports.put(name, body, organizations);
      objects[name] = body;
    },
  });
process.stdout.write(JSON.stringify(objects));
await dynamoDb.stop();
