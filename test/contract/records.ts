// Records of an administration store as nobody has deployed them yet.
import type { NeuronRecord } from '../../core/ports/administration.ts';

export const stamp = {
  createdAt: '2026-11-01T00:00:00.000Z',
  updatedAt: '2026-11-01T00:00:00.000Z',
  updatedBy: 'arn:aws:iam::1:user/ada',
};

/** What a neuron has that was written and not deployed. */
export const undeployed = {
  latestVersion: undefined,
  deployment: undefined,
  deployments: 0,
  previewKeys: {},
  cacheGeneration: 0,
  write: 0,
  ...stamp,
} satisfies Partial<NeuronRecord>;
