// The reader of the log's stream in a process of its own: the bundle of the rollup function, fed from files. Arguments: the bundle, the files.
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';

/** As in lib/constructs/compute/rollup.ts. */
const BATCH_SIZE = 100;
/** Every so many batches one is delivered twice, as the stream may do. */
const REPEATED_EVERY = 20;
/** An entry is put this long after its time. */
const PUT_AFTER_S = 2;

const [bundle = '', ...files] = process.argv.slice(2);
const { handler } = (await import(bundle)) as {
  readonly handler: (event: DynamoDBStreamEvent) => Promise<DynamoDBBatchResponse>;
};

type Image = NonNullable<NonNullable<DynamoDBRecord['dynamodb']>['NewImage']>;

interface Progress {
  readonly entries: number;
  readonly rssMiB: number;
}

function recordOf(line: string, number: number): DynamoDBRecord {
  const { Item } = JSON.parse(line) as { Item: Image };
  const timeMs = Number(Item['timeMs']?.N);
  return {
    eventName: 'INSERT',
    dynamodb: {
      NewImage: Item,
      SequenceNumber: String(number).padStart(12, '0'),
      ApproximateCreationDateTime: Math.floor(timeMs / 1000) + PUT_AFTER_S,
    },
  };
}

async function deliver(Records: DynamoDBRecord[]): Promise<void> {
  const event: DynamoDBStreamEvent = { Records };
  const answer = await handler(event);
  if (answer.batchItemFailures.length > 0) throw new Error('a batch was not sealed');
}

async function run(): Promise<void> {
  const progress: Progress[] = [];
  let entries = 0;
  let batches = 0;
  let repeated = 0;
  let batch: DynamoDBRecord[] = [];
  const send = async () => {
    await deliver(batch);
    batches += 1;
    if (batches % REPEATED_EVERY === 0) {
      await deliver(batch);
      repeated += 1;
    }
    batch = [];
  };
  for (const file of files) {
    const lines = createInterface({ input: createReadStream(file).pipe(createGunzip()) });
    for await (const line of lines) {
      batch.push(recordOf(line, entries));
      entries += 1;
      if (batch.length === BATCH_SIZE) await send();
    }
    progress.push({ entries, rssMiB: Math.round(process.memoryUsage.rss() / 2 ** 20) });
  }
  if (batch.length > 0) await send();
  const { user, system } = process.cpuUsage();
  const cpuSeconds = Math.round((user + system) / 100_000) / 10;
  process.stdout.write(`${JSON.stringify({ entries, batches, repeated, cpuSeconds, progress })}\n`);
}

await run();
