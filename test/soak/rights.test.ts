// Every way to read rows against a model, with more rules, callers and steps.
process.env.LARDER_RUNS = '60'
process.env.LARDER_STEPS = '3000'
await import('../modules/collections/rights.test.ts')
