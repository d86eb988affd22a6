// Writes heads as lines to standard output, and as one object where there is a bucket.
import { renderHead } from '../../core/logs/seals/seal.ts';
import type { LineSink } from '../../core/ports/platform.ts';
import type { SealHead } from '../../core/ports/seals.ts';
import type { Clock } from '../../core/time/clock.ts';

export interface HeadsPorts {
  /** The folder of the objects within the bucket. */
  readonly folder: string;
  readonly heads: () => AsyncIterable<SealHead>;
  readonly clock: Pick<Clock, 'now'>;
  readonly lines: LineSink;
  /** Undefined without a bucket. Throws when the object was not put. */
  readonly putObject: ((key: string, body: string) => Promise<void>) | undefined;
}

/** Lines come first: heads that the bucket rejects are in CloudWatch Logs all the same. */
export async function writeHeads({ folder, heads, clock, lines, putObject }: HeadsPorts): Promise<void> {
  const written: string[] = [];
  for await (const head of heads()) {
    const { chain, sealedAtMs } = head;
    const line = JSON.stringify({
      neuronLogHead: renderHead(head),
      chain,
      sealedAt: new Date(sealedAtMs).toISOString(),
    });
    lines.write(line);
    written.push(line);
  }
  if (putObject === undefined || written.length === 0) return;
  // `2026-11-21T12-30-00Z`: a colon would have to be escaped.
  const time = new Date(clock.now()).toISOString().slice(0, 19).replaceAll(':', '-');
  await putObject(`${folder}/${time}Z.jsonl`, `${written.join('\n')}\n`);
}
