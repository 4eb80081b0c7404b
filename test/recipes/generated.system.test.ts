process.env.LARDER_RUNS = '50'
process.env.LARDER_SEED = '1000'
await import('./generated.test.ts')
