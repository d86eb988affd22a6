// `neuron versions`: what a neuron did, does and may do.
import type { Command } from 'commander';
import type { Bind } from '../session/session.ts';
import { registerVersionsDeploy } from './deploy.ts';
import { registerVersionsKey } from './key.ts';
import { registerVersionsList } from './list.ts';
import { registerVersionsShow } from './show.ts';

export function registerVersions(program: Command, bind: Bind): void {
  const versions = program
    .command('versions')
    .description('Lists, shows and deploys versions of a neuron, and makes keys to try them.');
  registerVersionsList(versions, bind);
  registerVersionsShow(versions, bind);
  registerVersionsDeploy(versions, bind);
  registerVersionsKey(versions, bind);
}
