// How often each property is tried: 100 times, or what PROPERTY_RUNS says (10,000 in the long proof). The seed of a failure is printed.
import fc from 'fast-check';

fc.configureGlobal({ numRuns: Number(process.env['PROPERTY_RUNS'] ?? 100) });
