// The command `neuron`.
import { main } from '../cli/main.ts';
import { openSession } from '../cli/session/open-session.ts';
import { createProcessTerminal, endWhenUnread } from '../cli/session/process-terminal.ts';

endWhenUnread();
process.exitCode = await main(process.argv.slice(2), createProcessTerminal(), openSession);
