// `neuron secrets list`: the names of secrets, by purpose.
import type { SecretPurpose } from '../../core/ports/stores.ts';
import { ORGANIZATION } from '../command/arguments.ts';
import { command } from '../command/command.ts';
import type { Column } from '../output/table.ts';
import { requireOrganization } from '../session/require-stored.ts';
import { OPTIONAL_PURPOSE, PURPOSES } from './parameters.ts';

/** A secret as `--json` shows it. */
interface ListedSecret {
  readonly name: string;
  readonly for: SecretPurpose;
}

const COLUMNS: readonly Column<ListedSecret>[] = [
  { head: 'NAME', cell: ({ name }) => name },
  { head: 'FOR', cell: (secret) => secret.for },
];

export const secretsList = command({
  name: 'list',
  description: 'Lists the names of secrets.',
  arguments: { organization: ORGANIZATION },
  options: { purpose: OPTIONAL_PURPOSE },
  result: {
    columns: COLUMNS,
    none: ({ organization }) => `Organization ${organization} has no secrets.`,
  },
  async run({ organization, purpose }, { connect }) {
    const { store, secrets } = await connect();
    const { id } = await requireOrganization(store, organization);
    const lists = (purpose === undefined ? PURPOSES : [purpose]).map(async (one) =>
      (await secrets.list(id, one)).map((name) => ({ name, for: one })),
    );
    return (await Promise.all(lists)).flat();
  },
});
