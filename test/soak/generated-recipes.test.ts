process.env.LARDER_RUNS = '1000'
process.env.LARDER_SEED = '10000'
await import('../recipes/generated.system.test.ts')
