// Thousands of changes that race with requests at another process.
process.env.LARDER_RUNS = '500'
await import('../reliability/verified-credentials.test.ts')
