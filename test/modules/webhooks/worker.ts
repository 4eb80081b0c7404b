/** A separate process that serves requests or sends webhooks until it is killed. */
import { startWebhooks } from './fixtures.ts'

const [database = '', role = 'worker'] = process.argv.slice(2)
const { url } = await startWebhooks({ database, role: role as 'web' | 'worker' })
// Exits with the test process.
process.on('disconnect', () => process.exit())
process.send?.(url)
