// Stands in for both bundles where a test is about the templates, not about the functions.
export const handler = () => Promise.resolve({ statusCode: 204 });
