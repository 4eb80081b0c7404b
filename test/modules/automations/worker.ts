/** A separate process that runs automations until it is killed. */
import { killed, phased, startDesk } from './fixtures.ts'

const [database = '', recipe] = process.argv.slice(2)
const { url } = await (recipe === 'phased'
  ? startDesk(phased, { database, role: 'all' })
  : startDesk(killed, { database, role: 'worker' }))
// Exits with the test process.
process.on('disconnect', () => process.exit())
process.send?.(url)
