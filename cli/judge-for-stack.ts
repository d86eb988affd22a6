// Judges settings files against the stack that they are for: what it allows, and what is stored there.
import type { Given } from '../core/config/changes.ts';
import type { BedrockModels } from '../core/config/judge-bedrock.ts';
import { count } from './count.ts';
import { CommandFailure } from './failure.ts';
import { type JudgedFiles, judgeFiles, renderHarmless } from './judge-files.ts';
import type { Ports } from './ports.ts';
import type { Output } from './print.ts';

/** Warns of what is odd. Throws `CommandFailure` with every refusal where there is one. */
export async function judgeForStack(
  { paths, folder }: { readonly paths: readonly string[]; readonly folder: string },
  { stack, store, secretReader }: Pick<Ports, 'stack' | 'store' | 'secretReader'>,
  out: Output,
): Promise<Given> {
  const { maxDeadlineMs, transferMode, stageName, bedrockModels } = stack.outputs;
  const judged = await judgeFiles(paths, folder, {
    addresses: { allowLoopback: stack.local !== undefined },
    maxDeadlineMs: Number(maxDeadlineMs),
    transferMode: transferMode === 'BUFFERED' ? 'BUFFERED' : 'STREAM',
    bedrock: { stage: stageName, allowed: JSON.parse(bedrockModels) as BedrockModels },
    readStored: async (slugs) => {
      const found = await Promise.all(slugs.map((slug) => store.readOrganization(slug)));
      return new Map(found.flatMap((one) => (one === undefined ? [] : [[one.slug, one.document] as const])));
    },
    readSharedSecret: async (organization, name) => {
      const id = (await store.readOrganization(organization))?.id;
      return id === undefined ? undefined : secretReader.read(id, 'jwt', name);
    },
  });
  for (const finding of judged.warnings) out.warn(renderHarmless(finding));
  if (judged.refusals.length > 0) throw refusalOf(judged);
  return judged.given;
}

function refusalOf({ refusals }: JudgedFiles): CommandFailure {
  return new CommandFailure({
    what: `${count(refusals.length, 'error')}; nothing was written.`,
    why: refusals.map(renderHarmless).join('\n'),
  });
}
