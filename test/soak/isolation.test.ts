// The tests of isolation with more units.
process.env.LARDER_UNITS = '40000'
await import('../services/postgres/isolation.test.ts')
