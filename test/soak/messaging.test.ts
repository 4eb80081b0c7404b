// The model test of conversations with more runs.
process.env.LARDER_RUNS = '300'
await import('../modules/messaging/model.test.ts')
