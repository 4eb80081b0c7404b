process.env.LARDER_RUNS = '5000'
await import('../kernel/recipe/edits.test.ts')
