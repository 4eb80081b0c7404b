/** A worker of its own that sends webhooks until it is killed. */
import { startWebhooks } from './stage.ts'

const [database = ''] = process.argv.slice(2)
await startWebhooks({ database, role: 'worker' })
// A test that died leaves no worker behind.
process.on('disconnect', () => process.exit())
process.send?.('ready')
