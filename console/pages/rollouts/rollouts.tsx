// Which version of a neuron is better: its rollout, two versions beside each other, its shadow, and what callers say.
import { useLocation, useRoute } from 'preact-iso';
import { pathTo } from '../../data/paths.ts';
import { useNeurons } from '../../data/use-neurons.ts';
import { useCommand } from '../../data/use-query.ts';
import type { RolloutValue, ShadowStatusValue, VersionValue } from '../../data/values.ts';
import { NeuronField } from '../../parts/field.tsx';
import { PageHead } from '../../parts/layout.tsx';
import { NeedsNeuron } from '../../parts/needs-neuron.tsx';
import { ArmForm } from './arm-form.tsx';
import { Comparison } from './comparison.tsx';
import { Feedback } from './feedback.tsx';
import { Rollout } from './rollout.tsx';
import { Shadow } from './shadow.tsx';

/** Counts of the last seconds come with the next reading. */
const REFRESH_MS = 15_000;

export function Rollouts() {
  const { organization = '' } = useRoute().params;
  const { query, route } = useLocation();
  const neurons = useNeurons(organization);
  const slug = query['neuron'] || (neurons[0] ?? '');
  return (
    <>
      <PageHead
        title="Rollouts"
        detail="Which version is better: callers by side, copies that nobody gets, and what callers say."
      >
        {neurons.length > 0 && (
          <NeuronField
            neurons={neurons}
            value={slug}
            onChange={(next) => route(pathTo(organization, 'rollouts', { neuron: next }))}
          />
        )}
      </PageHead>
      <NeedsNeuron organization={organization}>
        {slug !== '' && <Cards key={`${organization}/${slug}`} organization={organization} slug={slug} />}
      </NeedsNeuron>
    </>
  );
}

function Cards({ organization, slug }: { readonly organization: string; readonly slug: string }) {
  const neuron = `${organization}/${slug}`;
  const versions = useCommand<VersionValue>('versions', { neuron });
  const rollout = useCommand<RolloutValue>('rollout', { neuron }, REFRESH_MS);
  const shadow = useCommand<ShadowStatusValue>('shadow', { neuron }, REFRESH_MS);
  const found = versions.data?.values ?? [];
  const candidate = rollout.data?.values[0]?.rollout?.candidate;
  const reload = () => {
    versions.reload();
    rollout.reload();
  };
  return (
    <div class="stack-of-cards">
      <Rollout neuron={neuron} query={rollout} versions={found} onDone={reload} />
      {rollout.data && found.length > 1 && (
        <Comparison key={candidate} neuron={neuron} versions={found} candidate={candidate} />
      )}
      <Shadow neuron={neuron} query={shadow} versions={found} />
      <Feedback organization={organization} neuron={slug} />
      <ArmForm neuron={neuron} />
    </div>
  );
}
