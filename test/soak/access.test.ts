/** The model test of identity, with its full count: nobody ends up with more than whoever gave it had. */
process.env.LARDER_RUNS = '1000'
await import('../modules/identity/grants.test.ts')
