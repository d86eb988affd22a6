// The memory of this function, by which Lambda charges its duration.

/** Memory that stages have as shipped, for a process that is no function. */
const DEFAULT_MEGABYTES = 1_024;

/** Lambda sets the variable (lambda/latest/dg/configuration-envvars.html#configuration-envvars-runtime). */
export const MEMORY_MEGABYTES = Number(process.env['AWS_LAMBDA_FUNCTION_MEMORY_SIZE']) || DEFAULT_MEGABYTES;
