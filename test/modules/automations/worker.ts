/** A separate process that runs automations until it is killed. */
import { killed, startDesk } from './fixtures.ts'

const [database = ''] = process.argv.slice(2)
await startDesk(killed, { database, role: 'worker' })
// Exits with the test process.
process.on('disconnect', () => process.exit())
process.send?.('started')
