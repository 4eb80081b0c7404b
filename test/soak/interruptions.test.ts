process.env.LARDER_STRIDE = '1'
await import('../modules/collections/services/storage/interruptions.system.test.ts')
await import('../modules/collections/services/storage/kill.system.test.ts')
