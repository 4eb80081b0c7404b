// Every way to read and write rows of a product of people against a model, with more rules and steps.
process.env.LARDER_RUNS = '40'
process.env.LARDER_STEPS = '2000'
await import('../modules/collections/customers-rights.test.ts')
